package vocab

// phrases are two words that together do something else than the first alone: verbs
// with a particle, and verbs with the one noun that changes them. They were written
// down from memory beside the English tables.
var phrases = phrasebook(phraseLists)

var phraseLists = map[Effect]string{
	None: `listen ersetzt, listen ersetzen`, // German for lists
	Reads: `look up, look for, look at, find out, free busy, free slots, free slot, free times, release notes, exchange rate,
		exchange rates, test whether, tests whether, draw diagram, draw chart, take look, take average, open api, set difference,
		set union, set intersection, sort order, refer to, leave out`,
	Creates: `track event, track events, track time, track usage, track habit, track expense, write down, note down, file away, jot down`,
	Changes: `resolve ticket, resolve issue, resolve incident, resolve alert, resolve conflict, resolve thread, resolve dispute,
		resolve comment, resolve conversation, resolve case, resolve problem, resolve task, resolve bug, resolve review,
		resolve vulnerability, resolve discussion, resolve alarm, resolve error, resolve todo, discussion resolve,
		thread resolve, ticket resolve, issue resolve, incident resolve, conversation resolve, alert resolve,
		convert lead, convert trial, convert account, find replace, search replace, count down, count up, fetch add,
		fetch sub, close gap, close gaps, compare exchange, compare swap, read modify, check off, check box, get set, select seat, read mark`,
	Removes: `get rid, throw away, throw out, put away, cross out, cross off, tidy up, clean up, write off, format disk, take down,
		take out, opt out, blot out, black out, get del, move trash`,
	Reaches: `log in, log out, log on, log off, sign in, sign out, sign up, sign off, sign on, check in, check out, clock in,
		clock out, opt in, set up, set off, back up, roll back, roll out, shut down, shut off, power up, power down,
		switch on, switch off, turn on, turn off, spin up, spin down, tear down, kick off, kick out, call off, hang up,
		pick up, put through, hand over, hand out, set alarm, boot up, wake up, fire up, speed up, slow down, top up,
		cash out, sell off, pay off, go live, go offline, go online, go to, bring up, bring down, carry out, hook up,
		make payment, make payments, make call, make phone, make purchase, make order, make booking, make reservation,
		make deposit, make transfer, make withdrawal, make donation, make bet, make trade, make appointment, make offer,
		make public, make coffee, make move, take photo, take picture, take screenshot, take control, take over, take off,
		take payment, take order, take money, take shot, write check, write cheque, write email, write disk, set temperature,
		set thermostat, set brightness, set volume, set speed, set position, set light, move arm, move robot, move to,
		move money, move funds, move forward, move backward, move motor, move servo, move joint, move mouse, move cursor,
		scan network, scan port, scan ports, scan host, sql query, query sql, raw query, raw sql, show notification,
		display message, display notification, display text, show toast, export to, dump to, add funds, put call, put order,
		lock door, unlock door, lock doors, unlock doors, lock car, unlock car, adjust temperature, adjust thermostat,
		increase temperature, decrease temperature, increase volume, decrease volume, log user`,
}

func phrasebook(lists map[Effect]string) map[string]Effect {
	book := map[string]Effect{}
	for effect, list := range lists {
		for _, phrase := range splitList(list) {
			book[phrase] = effect
		}
	}
	return book
}

// nouny are verbs that are as often a noun or an adjective. They count where a verb is
// expected and nowhere else. This list and those below were made by going through the
// tables of verbs.
var nouny = set(`react author keep book order purchase charge recharge refund transfer deposit checkout bill invoice payout dispute gift tip bid bet
	wager trade short stake mint burn bridge spend debit credit wire rent hire ship dispatch issue auction sign payment post
	repost reply answer forward broadcast alert contact share email mail sms fax tweet chat message call dial phone ring prompt
	say queue push pull signal request poke relay stream print run trigger schedule launch abort kill resume pause halt stop
	start restart end process deploy release rollout rollback upgrade downgrade install build test benchmark replay backup
	shell bash cron fsck train exploit force act crash exit sync setup tunnel login logout signin signout signup open close
	checkin shutdown power reboot boot wake sleep activation termination rescue lockdown turn switch dim heat cool arm buzz
	blink flash spin pump drive fly land dock walk jump grip lift lower raise press click tap swipe type scroll drag fire shot
	water feed vent park brake drill mill play cast spray brew cook wash dry reach screenshot dose discharge leave host kick
	challenge fight offer meet control supply attack treat archive trash pop drop flush purge wipe empty clear clean cleanup
	reset format sweep vacuum shift splice strip cut scratch trim discard drain scrub recycle change update edit set move
	patch merge sort shuffle swap toggle mark touch claim lock next advance increment decrement tweak link tag label pin
	commit stash split group fill override crop flip increase decrease refresh index cache map route fix repair alias sequence
	exchange poll load star favorite favourite like vote rate follow mute watch hold draw deal roll skip cycle step tick use
	lease return block flag ban permit cap limit review whitelist blacklist free complete correct warm compact take harvest
	log record report store save import upload copy clone fork replicate snapshot document journal catalog comment draft design
	new make craft seed zip tar append write put duplicate compress extract paste scaffold place answer invite fetchadd
	reserve secure lend patrol summon project handle source gather collect appoint work allow hide view exclude
	retire repeat borrow pick choose tell ask shout whisper warn transform adapt delegate`)

// entities are nouns that adapters deal in and that are verbs as well. With one of
// readings or aspects behind them they are nouns, because nobody orders a history.
// Verbs whose object is often a list or a count are left out: update, share, post.
var (
	entities = set(`order book message contact issue charge transfer release call backup schedule document invoice trade ship place
		train bid bill refund payment deposit dispute auction alert comment pump vote reserva compra note livre
		catalog catalogue journal`)
	readings = set(`get find fetch retrieve describe lookup list search browse count obtener buscar listar consultar holen suchen lesen
		anzeigen abrufen obtenir lister chercher lire afficher ottenere cercare leggere elencare obter ler pesquisar
		ophalen zoeken lezen`)
	aspects = set("info history stats statistics metrics details count list overview log logs")
)

// labels are verbs that are nouns behind the name of a product and before list, as in
// gitlab_label_list; resources are nouns that are emptied: cache_flush.
var (
	labels    = set("label link tag branch commit request draft journal chat file feed stash stream queue route host map post deploy-key")
	resources = set("cache index log record tag label link queue stream document backup file feed stash draft route map journal list comment note")
)

// sure are reading verbs that are no nouns: what goes before one is its noun.
var sure = set(`get fetch retrieve describe obtener holen lesen anzeigen abrufen obtenir chercher lire afficher ottenere
	leggere obter ler ophalen zoeken lezen`)

// computing are reading verbs that are no nouns either.
var computing = set("analyze analyse summarize summarise calculate validate verify parse compare convert explain estimate translate")

// titles are verbs that end a name as a noun: audit_log, sales_report.
var titles = set(`report record file address contact document profile issue log channel state map index journal catalog catalogue alias
	sequence design`)

// qualities make a noun of the verb behind them: latest_release, last_order_total.
var qualities = set(`latest current last newest oldest recent previous active total max min maximum minimum average top best daily weekly
	monthly yearly hourly my our pending upcoming old longest shortest fastest`)

// modifiers go before the verb and do not change it.
var modifiers = set(`mcp aql api rpc tool tools op operation please try just async bulk batch mass multi auto quick quickly fast hard
	soft safe unsafe really permanently immediately silently directly re un v internal admin system sys user cmd command
	action fn func maybe self remote local http rest web`)

// products are verbs that name what an adapter is for: mail_list_accounts.
var products = set("mail email chat push print drive ship dispatch")

// compounds are nouns of two words of which one is a verb elsewhere. Some were met in the
// names of tools of public servers.
var compounds = set(`pull-request pull-requests merge-request merge-requests feature-flag feature-flags deploy-key deploy-keys deploy-token
	deploy-tokens push-rule push-rules work-item work-items purchase-order purchase-orders sales-order sales-orders work-order
	work-orders test-case test-cases test-suite test-suites test-plan test-plans merge-base start-date end-date start-time
	end-time log-level log-file log-files log-entry log-entries heart-rate interest-rate interest-rates tax-rate tax-rates
	frame-rate bit-rate sample-rate sort-order address-book phone-book mailing-list price-list process-id
	unit-test unit-tests catalogue-entry catalogue-entries catalogue-number catalog-entry catalog-number
	draft-note draft-notes push-notification push-notifications dry-runs trial-runs test-runs`)

// compounded makes one word of the nouns of two words.
func compounded(words []string) []string {
	var all []string
	for i := 0; i < len(words); i++ {
		if i+1 < len(words) && compounds[words[i]+"-"+words[i+1]] {
			all = append(all, words[i]+"-"+words[i+1])
			i++
			continue
		}
		all = append(all, words[i])
	}
	return all
}

// emptied are verbs behind list that make a list their object: list_clear.
var emptied = set("update reset clear change edit empty flush purge drop wipe")

// paired are reading verbs that are nouns as well, so that a verb behind them counts:
// list_delete deletes a list.
var paired = set(`list search query export view count scan download index dump filter preset`)

// joints join a second verb, in all languages.
var joints = set(`and then or und oder dann y luego et puis ou e o poi oppure en dan depois plus`)
