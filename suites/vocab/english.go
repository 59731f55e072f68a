package vocab

// english are bare verbs: those that suites/naming_verbs.go and suites/gate/rules.go
// name, and those that were written down from memory, one field of work after another.
// Each part says which. No list was copied.
var english = language{
	Reads:   reading + looking,
	Creates: creating,
	Changes: changing + deciding,
	Removes: removing,
	Reaches: messages + money + ending + running + serving + machines + people,
}

// reading are words of REST interfaces, of query languages, and of calculators.
const reading = `
	get list show find search count read view fetch retrieve query lookup look see browse display describe inspect
	introspect examine explore enumerate check validate verify preview compare analyze analyse summarize summarise
	calculate calc compute convert parse render resolve export download dump diff explain help
	estimate assess audit monitor observe trace scan sample filter rank score match select suggest recommend predict
	forecast infer classify categorize categorise detect identify recognize recognise translate transcribe encode decode
	hash tokenize tokenise measure quantify plot chart visualize visualise simulate diagnose locate discover lint scrape
	crawl track geocode autocomplete paginate spellcheck aggregate group sum average tally iterate traverse interpret project
	findone findall findmany findbyid getall getone getbyid listall`

// looking are commands and calls that print, and the words with which a question begins.
const looking = `
	ping whoami echo peek head tail cat ls dir grep egrep stat fstat du df ps whois dig nslookup traceroute readlink
	readdir hget hgetall mget zrange lrange smembers scard llen exist exists has have is are was does can may should
	needs contains includes matches what which who where when why how`

// creating put something new into the store. They are words of REST interfaces, of SQL
// and Redis, of file commands and archives, of writers, and of those who keep lists or members.
const creating = `
	enroll enrol recruit onboard appoint nominate lend
	create add insert new make save put store write import upload register record log append prepend compose draft
	generate copy clone duplicate fork replicate mkdir mkfile mkfifo mknod mktemp symlink ln cp scp tee
	snapshot define declare scaffold seed populate bookmark annotate comment ingest persist author sketch design
	instantiate establish jot memorize memorise remember report craft zip unzip tar untar gzip gunzip compress
	decompress unpack extract document journal catalog catalogue transcode synthesize synthesise paste
	insertone insertmany addall setnx lpush rpush sadd zadd xadd hsetnx unshift`

// changing make what is there different. They are words of editors, of file commands,
// of Redis and MongoDB, of counters and locks, of version control, and of those who sort.
const changing = `
	update edit set rename move mv patch merge modify change alter replace reorder rearrange sort shuffle swap toggle
	mark unmark touch claim unclaim ack nack acknowledge reserve unreserve lock unlock acquire rotate next advance
	increment decrement incr decr inc dec incrby decrby bump adjust tune configure customize customise assign unassign
	reassign attach detach link relink tag untag retag label unlabel relabel pin unpin chmod chown chgrp rebase commit
	amend stash stage unstage squash revert undo redo normalize normalise sanitize sanitise split combine ungroup
	fill apply transition overwrite override upsert extend shorten resize crop flip increase decrease refresh recalculate
	recompute reindex index encrypt decrypt cache warm prefetch allocate deallocate free bind unbind mount unmount
	umount map remap unmap route reroute redirect renumber reformat rewrite rephrase refactor substitute interchange
	exchange transform correct fix repair improve optimize optimise tweak alias undelete untrash unarchive sequence
	collect gather harvest receive poll getset getex mset msetnx hset hmset hincrby setex replaceone updateone
	updatemany findandmodify findoneandupdate setattr compact fetchadd load mutate adapt keep`

// deciding are words of task lists, of social networks, of moderators, and of games.
const deciding = `
	star unstar favorite unfavorite favourite unfavourite like unlike dislike vote upvote downvote rate follow unfollow
	mute unmute watch unwatch hide unhide enable disable activate deactivate reopen complete finish finalize finalise
	adopt prioritize prioritise triage delegate take use equip unequip draw deal roll skip seek rewind cycle step tick
	hold unhold snooze unsnooze dismiss postpone defer borrow return choose pick lease block unblock flag unflag ban
	unban whitelist blacklist allow deny grant permit restrict protect unprotect freeze unfreeze thaw cap limit throttle
	review endorse heal`

// removing take something out of the store or out of sight. They are words of REST
// interfaces, of SQL, Redis and MongoDB, of file commands, of caches and queues, and of
// those who say it politely.
const removing = `
	delete del remove erase destroy purge drop truncate wipe clear flush empty trash archive expire evict pop dequeue
	consume unregister deregister rm rmdir rmtree unlink discard drain invalidate revoke nuke shred scrub clean cleanup
	prune reap unset dispose eliminate reset format forget sweep vacuum retract retire obliterate annihilate exterminate
	shift splice gc strip cut dedupe deduplicate delist zap zeroize scratch trim ltrim deletion removal erasure
	destruction destruct deleteone deletemany deleteall getdel findanddelete findoneanddelete flushall flushdb lpop rpop spop
	zpopmin zpopmax blpop brpop lrem srem zrem hdel xdel xtrim unsave unbookmark disown exclude expunge recycle`
