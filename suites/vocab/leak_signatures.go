package vocab

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"
)

// signatures is the table of what betrays an implementation, read from top to
// bottom. Each expression is bounded, multi-line and case-sensitive: runtimes do
// not vary their letters, people do. It was measured on the corpora in
// fixtures/leaks; extend those first, then the table.
//
// The expressions are compiled when they are first needed: most commands judge nothing.
var signatures = sync.OnceValue(func() []Signature {
	all := slices.Concat(
		secretSignatures, stackSignatures, backendSignatures,
		languageSignatures, classSignatures, addressSignatures, pathSignatures, weakSignatures,
	)
	for i := range all {
		all[i].compile()
	}
	return all
})

func strong(kind LeakKind, name, pattern string) Signature {
	return Signature{Name: name, Kind: kind, Strong: true, pattern: pattern}
}

func (s *Signature) compile() {
	tree, err := syntax.Parse("(?m:"+s.pattern+")", syntax.Perl)
	if err != nil {
		panic(err) // a table of ours, compiled by every test
	}
	s.match, s.needs = regexp.MustCompile("(?m)"+s.pattern), literals(tree.Simplify())
}

func frame(name, pattern string) Signature {
	s := strong(StackLeak, name, pattern)
	s.lines = true
	return s
}

func weak(kind LeakKind, name, pattern string) Signature {
	s := strong(kind, name, pattern)
	s.Strong = false
	return s
}

var secretSignatures = []Signature{
	strong(SecretLeak, "access token", `\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|sk-[\w-]{20,}|sk_(?:live|test)_\w{10,}|AIza[\w-]{30,}|(?:AKIA|ASIA)[A-Z0-9]{12,}|npm_\w{30,}|hf_\w{20,})`),
	strong(SecretLeak, "signed token", `\beyJ[\w-]{8,}\.eyJ[\w-]{4,}\.[\w-]*`),
	strong(SecretLeak, "authorization header", `\b[Aa]uthorization['"]?: ?['"]?(?:Bearer|Basic|Token) [\w+/=.-]{8,}`),
	strong(SecretLeak, "private key", `-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----`),
	strong(SecretLeak, "environment value", `\b[A-Z][A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|TOKEN|API_KEY|ACCESS_KEY|DATABASE_URL|_DSN)[A-Z0-9_]*=[^\s=]{3,}`),
}

var stackSignatures = []Signature{
	frame("Python traceback", `Traceback \(most recent call last\)|During handling of the above exception|was the direct cause of the following exception`),
	frame("Python frame", `\bFile "[^"\n]{1,300}", line \d+`),
	frame("JavaScript frame", `\bat (?:async )?(?:new )?[^\n]{0,120}?\(?(?:file://|node:|webpack|[A-Za-z]:\\|/)[^\s()]*:\d+:\d+`),
	frame("JavaScript frame", `\bat [^\n]{0,120}?\b[\w-]+\.(?:js|mjs|cjs|jsx|ts|mts|cts|tsx):\d+:\d+`),
	frame("JavaScript frame", `\bat [\w$.<>\[\] ]{1,80} \((?:(?:<anonymous>|native|native code|VM\d+|REPL\d+|evalmachine\.<anonymous>)(?::\d+){0,2}|eval at [^\n]{1,120})\)`),
	frame("JavaScript frame", `^[\w$.<>/]{0,80}@(?:file|https?)://[^\s]+:\d+:\d+`),
	frame("Go frame", `\bgoroutine \d+ \[|^panic: |\bpanic: (?:runtime|assignment|interface|send|close|reflect|\w+ error)|\[recovered\]|\.go:\d+ \+0x[0-9a-f]+|\bcreated by [\w./*()]+ in goroutine`),
	frame("JVM frame", `\bat [\w$.<>/]{3,200}\((?:[\w$]+\.(?:java|kt|kts|scala|groovy|clj):\d+|Native Method|Unknown Source)\)|Exception in thread "|^Caused by: (?:[\w$]+(?:\.[\w$]+)*\.[A-Z][\w$]*|[\w$]*(?:Exception|Error|Throwable)\b)|^\s*\.\.\. \d+ (?:more$|common frames omitted)`),
	strong(StackLeak, "frame record", `"(?i:(?:error_?)?(?:stack|stack_?trace|trace_?back|back_?trace|trace|frames|stack_?frames))":\s*\[\s*\{[^{}]{0,400}(?:"(?:[Ff]ile_?[Nn]ame|file|module|function|method|func)":\s*"[^{}]{0,400}"(?:line|lineno|line_?[Nn]umber)":\s*\d|"(?:line|lineno|line_?[Nn]umber)":\s*\d[^{}]{0,400}"(?:[Ff]ile_?[Nn]ame|file|module|function|method|func)":\s*")`),
	frame(".NET frame", `\bat [\w.<>\x60\[\],+]{3,200}\([^)\n]{0,200}\) in [^\n]{1,300}:line \d+|--- End of (?:inner exception|stack trace)|^\s*at [\w$<>\x60]+(?:\.[\w$<>\x60\[\]]+){2,12}\([^)\n]{0,200}\)\s*$`),
	frame("PHP frame", `Stack trace:\s*#0|^#\d+ [^\n]{0,300}\.php\(\d+\)|#\d+ [^\n]{0,300}\.php\(\d+\): |#\d+ \{main\}|\bin [^\s]{1,300}\.php(?: on line |:)\d+`),
	frame("Ruby frame", `\.rb:\d+:in [\x60'"]`),
	frame("Rust frame", `RUST_BACKTRACE|\bstack backtrace:|^\s*\d+: (?:0x[0-9a-f]+ - )?[\w<>]+(?:::[\w<>{}]+)+`),
	frame("native frame", `^#\d+\s+0x[0-9a-f]+ in |\bSegmentation fault\b|\(core dumped\)|\bSIG(?:SEGV|ABRT|BUS|ILL)\b`),
	frame("Elixir frame", `\(\w+ \d[\w.-]*\) [\w/.-]+\.exs?:\d+: |\(elixir \d|\(stdlib \d`),
	frame("Perl or Lua frame", `\bat [^\s]+\.p[lm] line \d+|\bstack traceback:|[\w/]+\.lua:\d+: `),
	frame("Swift or Dart frame", `^#\d+ +[\w.<>]+ \((?:package|dart|file):[^\s)]+\)|Fatal error: [^\n]{0,200}: file [^\s,]+\.swift, line \d+`),
}

// addressSignatures come after the dumps of objects that hold addresses.
var addressSignatures = []Signature{
	strong(BackendLeak, "memory address", `\bat 0x[0-9a-fA-F]{12,16}\b|\b0x(?:0000)?(?:7[ef]|c0|5[56]|60|10)[0-9a-fA-F]{7,10}\b|\baddr=0x[0-9a-f]+|\bpc=0x[0-9a-f]+`),
}

var backendSignatures = []Signature{
	strong(BackendLeak, "connection string", `\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|oracle|clickhouse|cassandra|kafka|nats|ldaps?|memcached|jdbc:\w+|sqlite)(?:\+\w+)?:(?://|@)[^\s]{2,}`),
	strong(BackendLeak, "connection string", `\b(?:Server|Data Source|Host|AccountName|Endpoint)=[^;\n]{1,200};[^\n]{0,200}\b(?:Password|Pwd|User ?[Ii]d|Uid|AccountKey|Database|Initial Catalog|SharedAccessKey)=`),
	strong(BackendLeak, "connection string", `\bhost=\S+[^\n]{0,100}\b(?:user|password|dbname|database)=`),
	strong(BackendLeak, "object mapper", `\bInvalid \x60(?:prisma|[\w.]*[Pp]rismaClient)\.[\w.$]+\(\)\x60 invocation`),
	strong(BackendLeak, "SQL state", `\bSQLSTATE\b|\bSQLCODE\b|\b(?:ORA|TNS|PLS)-\d{5}\b|\bDB2 SQL\b|\bSQL Error\b|\bSqlState\b`),
	strong(BackendLeak, "SQL driver", `\bPG::\w+|\bpq: |\bpsycopg[23]?\b|\bsqlite3\.\w+|\bSQLITE_[A-Z]{2,}|\bpymysql\b|\basyncpg\b|\bER_[A-Z]+_[A-Z_]+\b|\bmysqli?_\w+\(|\bsql: (?:no rows|database is closed|expected \d|Scan error|converting|transaction|unknown driver|connection is)|\berror returned from database\b|\bSQL logic error\b`),
	strong(BackendLeak, "SQL statement", `\bSELECT\b[^\n]{1,300}?\bFROM\b|\bINSERT INTO\b|\bUPDATE\b[^\n]{1,200}?\bSET\s+[\w.\x60"\[\]]+\s*=|\bDELETE FROM\b|\b(?:CREATE|ALTER|DROP) TABLE\b|\bWHERE \w+(?:\.\w+)? ?(?:=|IN|LIKE) ?[$?('%:]|\bSQL statement: |\bselect (?:\*|[\w.]*\w\.\w+)[^\n]{0,300}? from \w+|\binsert into \w+ ?\(|\bdelete from \w+ where\b|\bupdate \w+ set \w+ ?=`),
	strong(BackendLeak, "constraint", `\b(?:UNIQUE|FOREIGN KEY|NOT NULL|CHECK|PRIMARY KEY) constraint failed|\bviolates (?:unique|foreign key|not-null|check|exclusion) constraint|\bviolates row-level security|\bViolation of (?:PRIMARY|UNIQUE|FOREIGN) KEY|\bconflicted with the (?:FOREIGN KEY|CHECK|REFERENCE) |\ba foreign key constraint fails|\bIntegrity constraint violation|\bduplicate key value violates\b|\bDuplicate entry '[^\n]{0,200}' for key '(?:[^'\n]*[._][^'\n]*'|PRIMARY')|\bKey \([\w, \x22]+\)=\([^)\n]{0,200}\) (?:is not present|already exists|is still referenced)|\bcould not serialize access\b|\bCannot insert (?:duplicate key|the value NULL)`),
	strong(BackendLeak, "SQL engine", `\berror in your SQL syntax|\bsyntax error at or near "|\bIncorrect syntax near|\bnear "[^"\n]{0,80}": syntax error|\bno such (?:table|column|function): |(?:^|[:.\]] ?|\berror )relation "[^"\n]{1,120}" (?:does not|already) exist|\btable \w+ has no column named |\bfts5: |\bcolumn \w+\.\w+ does not exist|\bUnknown column '[^'\n]{1,80}' in '(?:field list|(?:where|order|on|having|group|from) (?:clause|statement))'|\bTable '[\w-]+\.[\w.-]+' (?:doesn't exist|already exists)|\bInvalid object name '|\b(?:column|function|table) [\w."]+\([^)\n]{0,80}\) does not exist|\bnull value in column "|\bdeadlock detected(?:$|[^\w ]| while )|\bDeadlock found when|\bLock wait timeout exceeded|\bData too long for column|\bOut of range value for column|\bcurrent transaction is aborted|\bcanceling statement due to|\bpassword authentication failed for user|\bAccess denied for user '[^'\n]{0,80}'@|\bpermission denied for (?:relation|schema|sequence)\b|\bremaining connection slots|\btoo many clients already|\bvalue too long for type character|\binvalid input syntax for (?:type )?(?:\w*int\w*|uuid|numeric|jsonb?|boolean|timestamp|date|double|real|bytea|inet)\b|\bcolumn "[^"\n]{1,80}" (?:of relation|must appear in)|\battempt to write a readonly database\b|\bdatabase disk image is malformed|\bis of type \w+ but expression is of type|\boperator does not exist: `),
	strong(BackendLeak, "document or key store", `\bE11000\b|\bMongo(?:Server|Network|Bulk\w*|Write|Parse|Timeout|Connection|Driver)?Error\b|\bMongoServerSelection\w*|\bWRONGTYPE Operation|\bNOAUTH Authentication|\bCROSSSLOT |\bLOADING Redis\b|\bBUSYGROUP |\bReplyError\b|\b(?:index_not_found|parsing|mapper_parsing|search_phase_execution|version_conflict_engine|resource_already_exists|illegal_argument|document_missing)_exception\b|\bNo living connections\b|\bLEADER_NOT_AVAILABLE\b|\bNot authorized on \w+ to execute command\b|\bCast to ObjectId failed\b|\bBSON\w*Error\b|\bmongo: no documents\b|\bduplicate key error collection: `),
	strong(BackendLeak, "backend address", `\b[\w-]+(?:\.[\w-]+)*\.(?:svc(?:\.cluster\.local)?|cluster\.local)(?::\d{2,5}\b|/|\b[ '",)]|$)|(?://|@|\b(?:connect|connection|lookup|resolve|resolving|dial|dialing|reach|host|hostname|server)(?: to| tcp)? '?)[\w.-]+\.internal\b|\.internal:\d{2,5}\b|\b[\w.-]+\.(?:ec2|google|docker|compute|consul)\.internal\b|\barn:aws[\w-]*:[\w-]+:[\w-]*:\d{12}:|\b[\w.-]+\.(?:rds|cache|redshift|es|docdb)(?:\.[\w-]+)?\.amazonaws\.com|\b[\w.-]+\.(?:database|redis\.cache|servicebus|blob\.core)\.windows\.net|\b[\w.-]+\.documents\.azure\.com|\b[\w.-]+\.mongodb\.net\b`),
	strong(BackendLeak, "proxy page", `\bupstream connect error or disconnect|\bnginx/\d+\.\d+\.\d+|\bApache/\d\.\d|\bopenresty/\d|\bWerkzeug/\d|\bno healthy upstream\b`),
}
