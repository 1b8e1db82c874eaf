import { stemWord } from '../text/stem-word.ts';

/**
 * Words that programmers write for each other. A question says "authentication", the file is called `auth`. Each line is
 * one meaning; any word of it finds the others, for a part of the worth.
 */
const MEANINGS = `
auth authentication authenticate authorization authorize
config configuration configure conf cfg settings setting options option preferences
param parameter params
arg argument args
req request
res response resp reply
msg message
db database
env environment
func function fn
dir directory folder
init initialize initialization setup bootstrap
app application
util utility helper
spec specification
ref reference
err error exception failure
doc document documentation
conn connection
ctx context
cmd command
str string
num number numeric
tmp temporary temp
attr attribute
prop property
elem element
obj object
async asynchronous
sync synchronous synchronize synchronization
alloc allocate allocation allocator
dealloc deallocate free release
del delete remove removal erase unlink
create make build construct
fetch retrieve load
js javascript
ts typescript
cert certificate
cli terminal console
regex regexp pattern
io input output
fs filesystem
id identifier
info information
impl implementation
lib library
max maximum
min minimum
len length size
pos position offset
prev previous
repo repository
src source
dest destination target
stmt statement
expr expression
decl declaration declare
def definition define
calc calculate compute computation
gen generate generator generation
serde serialize serialization marshal encode dump
deserialize unmarshal decode parse
ser serializer
admin administrator
perm permission
priv privilege private
pwd password passwd
sess session
stats statistics metrics
sys system
temp template
val value
var variable
ver version
win window windows
addr address
buf buffer
char character
cnt count counter
col column
cond condition
dep dependency
desc description describe
dev development
diff difference compare comparison
dim dimension
dist distance distribution
eq equal equality
evt event
exec execute execution run
ext extension
fmt format formatter formatting
hdr header
idx index
img image
iter iterator iteration
lang language
lex lexer tokenize tokenizer scanner
loc location
mem memory
mgr manager
mod module
mul multiply
nav navigation
net network
num numeric
op operation operator
opt optional
orig original
perf performance
pkg package
pref prefix
proc process
prod production
proto protocol prototype
ptr pointer
pub publish public
qty quantity
rand random
recv receive receiver
reg register registration registry
rel relation relationship relative
rm remove
sched schedule scheduler
sec security secure
sel select selection selector
seq sequence
sig signature signal
sock socket
stat status
sub subscribe subscription
sym symbol
tbl table
tok token
trans transaction
txn transaction
tls ssl
type kind
url uri
usr user
util tool
ws websocket
http web
json
i18n internationalization localization locale translation
a11y accessibility
k8s kubernetes
`;

const SYNONYMS = new Map<string, Set<string>>();
for (const line of MEANINGS.trim().split('\n')) {
  const roots = [...new Set(line.split(' ').map(stemWord))];
  for (const root of roots) {
    const others = SYNONYMS.get(root) ?? new Set();
    for (const other of roots) if (other !== root) others.add(other);
    SYNONYMS.set(root, others);
  }
}

/** The roots of words that mean nearly the same as this root. */
export function synonymsOf(root: string): readonly string[] {
  return [...(SYNONYMS.get(root) ?? [])];
}
