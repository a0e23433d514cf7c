const SHORT_FORMS =
  "arg:argument args:argument attr:attribute auth:authent auth:authoriz buf:buffer cert:certificate cfg:config conf:config " +
  "char:character cmd:command conn:connection coord:coordinate ctx:context db:database decl:declaration desc:descri " +
  "dest:destination dev:device dir:director doc:document elem:element env:environment exec:execut expr:expression " +
  "ext:extension fmt:format func:function idx:index img:image info:information init:initial iter:iterator lang:language " +
  "len:length lib:librar mem:memory mgr:manager msg:message net:network num:number obj:object opt:option opts:option " +
  "param:parameter passwd:password perm:permission pkg:package pos:position prev:previous proc:process prop:propert " +
  "props:propert ptr:pointer ref:reference repo:repositor req:request resp:response sess:session sig:signature " +
  "spec:specification src:source stmt:statement str:string sync:synchron sys:system tbl:table tmp:temporar " +
  "tmpl:template util:utilit val:value var:variable vec:vector win:window";

let pairs: readonly (readonly [short: string, long: string])[] | undefined;

/** What programmers shorten a word to when they name things: "directory" to `dir`. */
export function shortForms(word: string): string[] {
  pairs ??= SHORT_FORMS.split(" ").map((pair) => pair.split(":") as [string, string]);
  return pairs.filter(([, long]) => word.startsWith(long)).map(([short]) => short);
}
