package vocab

// The small words of descriptions, by what they do to a verb beside them. They were
// written down from memory; the first of each list are English.
var (
	// joining words join a verb to the one before.
	joining = set("and then or but und oder dann y luego et puis ou e o poi oppure en dan depois sowie")

	// fillers stand before a verb and leave it as it is.
	fillers = set(`also immediately first finally afterwards subsequently automatically optionally please will now just simply thereby
		safely always instead additionally both either therefore maybe used use allows allow lets let helps helped tries
		attempts us you users clients callers agents able wird se si auch anschließend danach también también después
		aussi ensuite anche außerdem sofort einfach ook us to`)

	// subjects stand for the operation itself.
	subjects = set(`it this operation call command tool method function adapter server service endpoint system action api backend app
		application es sie diese dieser operación operation operazione operação operatie esta cette questa deze`)

	// quantified are words that make one of uses mean the operation: each request, every look.
	quantified = set("each every any jeder jede jedes cada chaque ogni elke elk")
	uses       = set(`call request query lookup look read use access view visit retrieval invocation aufruf abruf zugriff llamada consulta lectura appel
		requête lecture chiamata richiesta lettura chamada leitura oproep aanroep`)

	// blockers begin what is no promise: a relative clause, a condition, a denial.
	blockers = set(`that which who whose whom where when whenever if unless until once after before while because since whether what
		how why as so than such does do not never without no nothing none neither nor cannot can could would should must might
		don't doesn't won't isn't aren't can't shouldn't provided although though except like unlike
		der die das den welche welcher welches dass wenn falls sobald bevor nachdem ob wie nicht nie ohne kein keine nichts kann können
		que quien cuando antes como sin nunca ningún ninguna nada qui dont lorsque quand avant comme sans jamais
		ne pas rien che quando prima come senza mai niente não quem antes sem nunca dat als wanneer voordat nadat hoe niet geen zonder`)

	// thirdPersons follow the French if.
	thirdPersons = set("il elle ils elles on")

	// articles begin a relative clause behind a comma only.
	articles = set("der die das den")

	// denials take back what a clause says.
	denials = set(`not never no nothing none neither nor cannot don't doesn't won't isn't aren't without nicht nie kein keine keinen nichts
		ohne sin nunca ningún ninguna nada sans jamais pas rien senza mai niente não sem niet geen zonder hardly non`)

	// determiners show that the word before them is a verb.
	determiners = set(`the a an it them this these those its their all any each every one him her his my your everything everyone
		itself both some another either ein eine einen einem die das den der alle es sie un una el la los las le les lo gli il i
		todo todos toda todas tout tous o os as um uma een het de alles deze us me`)

	// behind are words before which a word is a noun.
	behind = set(`of is are was were has have had that which who whose des der del della dello dell do da dos van vom`)

	// behindPlural are words before which a third person is a plural.
	behindPlural = set(`of is are was were have had that which who whose by in between for with since per matching within across on at under
		made held sent und oder need must may can`)

	// modals and what goes before an infinitive.
	modals = set(`to can could may might must should would zu um para pour per te om`)

	// obliging are German modals, whose infinitive ends the sentence.
	obliging = set(`muss müssen kann können soll sollen sollte sollten darf dürfen`)

	// auxiliaries make a promise of a participle. The past makes none.
	auxiliaries = set(`is are gets be being wird werden est sont sera seront es son será serán viene vengono è sono é são serão wordt worden
		ist sind sein`)
)

// told are verbs that mean less in a text than in a name: returns the list.
var told = map[string]Effect{
	"return": Reads, "give": Reads, "report": Reads, "provide": Reads, "answer": Reads, "tell": Reads, "expose": Reads,
	"produce": Reads, "supply": Reads, "say": Reads, "offer": Reads, "stream": Reads, "yield": Reads,
	"follow": None, "use": None, "allow": None, "like": None, "work": None, "permit": None,
	"poll": Reads, "watch": Reads, "limit": Reads, "keep": None, "collect": Reads, "gather": Reads, "do": None,
}

// accepted are third persons that say what an operation takes, not what it does.
var accepted = set("accepts takes applies requests requires holds reads covers deals picks supports begins meets leaves works acts handles hosts")

// states are participles that say how things are.
var states = set(`stored kept written sorted ordered grouped limited paged cached set used assigned linked attached tagged labeled labelled
	built named hidden masked rounded cut mapped read needed collected gathered accepted allowed permitted reported given
	provided supplied offered answered told said produced exposed capped formatted normalized normalised reserved held
	handled processed combined split indexed scaled closed opened open free complete correct saved placed signed tested left
		skipped omitted`)

// qualifying are verbs that are adjectives as well, and staying are verbs of a plural that tell how things are.
var (
	qualifying = set("open clean free clear empty dry warm cool complete unset")
	staying    = set("keep stay remain are were have had can cannot may must need count show fall")
)

// parts of an object change where they go, and parts of an answer do not matter.
var (
	parts   = set("arrays array objects keys key values members fields field lists strings entries attributes properties nulls")
	answers = set(`results result response responses output duplicates matches hits secrets whitespace blanks null nulls html markup
		defaults`)
)

// nounHeads are nouns that make one of a verb before them: update time.
var nounHeads = set("access time times date dates level levels type types count counts history event rights")

// insistent are verbs that are nouns as well and are taken for verbs even where nothing
// shows that they are: gets the row and resets counters.
var insistent = set(`update reset clear start stop restart open close empty flush purge wipe format email message call charge book
	order cancel lock post submit change`)

// advising are verbs of sentences that tell how to call the operation.
var advising = set("set pass add use put send start follow leave make run call change mark enter write begin repeat continue")

// objects are pronouns that show that the word before them is a verb.
var objects = set("it them him her everything")

// beginnings go before what an answer starts with.
var beginnings = set("as at with from on after before")

// given are words for what a caller sends. It is trimmed before it is used.
var given = set("text texts input query term phrase value values name names title titles")

// hints are words by which a sentence tells how to call the operation.
var hints = set("see show true false include includes included parameter parameters filter page cursor limit omit value option flag returned")

// possessive reports whether the name of a program is the Spanish for his, her and its: por texto en su nombre. En is the Dutch and.
func (c *clause) possessive(i int) bool {
	next := c.at(i + 1)
	return c.at(i).word == "su" && c.begin > 0 && next.word != "" && !next.comma && next.word != "to" && !joining[next.word]
}
