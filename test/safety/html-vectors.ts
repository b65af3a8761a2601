/**
 * HTML that tries to run scripts, from the OWASP filter evasion sheet, html5sec.org, the cases of DOMPurify and of
 * sanitize-html, and papers on mutation XSS. Each would call `canary()`, open a dialog, or load a path `/never` in
 * some browser.
 */

const RUN = 'canary(1)';
const NEVER = 'https://evil.example/never';

/** Every spelling of an address that runs a script. */
const RUNNING_ADDRESSES: readonly string[] = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  ` javascript:${RUN}`,
  `\tjavascript:${RUN}`,
  `\njavascript:${RUN}`,
  `\u0001javascript:${RUN}`,
  `\u001fjavascript:${RUN}`,
  `\u0000javascript:${RUN}`,
  `java\u0000script:${RUN}`,
  `java\tscript:${RUN}`,
  `java\nscript:${RUN}`,
  `java\r\nscript:${RUN}`,
  `j\ta\tv\ta\ts\tc\tr\ti\tp\tt\t:${RUN}`,
  `javascript\t:${RUN}`,
  `javascript&colon;${RUN}`,
  `javascript&#58;${RUN}`,
  `javascript&#x3a;${RUN}`,
  `javascript&#x0000003A${RUN}`,
  `java&Tab;script:${RUN}`,
  `java&NewLine;script&colon;${RUN}`,
  `&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;${RUN}`,
  `&#0000106&#0000097&#0000118&#0000097&#0000115&#0000099&#0000114&#0000105&#0000112&#0000116&#0000058${RUN}`,
  `&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A${RUN}`,
  `&#14;  javascript:${RUN}`,
  `&#1;javascript:${RUN}`,
  `&#x200B;javascript:${RUN}`,
  `\u00a0javascript:${RUN}`,
  `\ufeffjavascript:${RUN}`,
  `\u2028javascript:${RUN}`,
  `\u3000javascript:${RUN}`,
  `javascript://%0a${RUN}`,
  `javascript://https://www.youtube.com/%0a${RUN}`,
  `javascript:/*--></title></style></textarea></script>*/${RUN}`,
  `javascript:javascript:${RUN}`,
  `\uff4aavascript:${RUN}`,
  `ja\u0432ascript:${RUN}`,
  `vbscript:${RUN}`,
  `VBScript:${RUN}`,
  `livescript:${RUN}`,
  `mocha:${RUN}`,
  `feed:javascript:${RUN}`,
  `view-source:javascript:${RUN}`,
  `jar:javascript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `data:text/html;base64,PHNjcmlwdD5jYW5hcnkoMSk8L3NjcmlwdD4=`,
  `DATA:TEXT/HTML;charset=utf-7,+ADw-script+AD4-`,
  `data:,<script>${RUN}</script>`,
  `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"/>`,
  `data:application/xhtml+xml,<script xmlns="http://www.w3.org/1999/xhtml">${RUN}</script>`,
  `da\tta:text/html,x`,
  `blob:https://reader.example/never`,
  `filesystem:https://reader.example/never`,
  `file:///etc/passwd`,
  `about:blank`,
  `ftp://evil.example/never`,
  `ws://evil.example/never`,
  `intent://never#Intent;scheme=http;end`,
  `x-javascript:${RUN}`,
  `chrome://settings`,
];

/** Every element and attribute that has an address. */
const WITH_ADDRESS: readonly ((address: string) => string)[] = [
  (address) => `<a href="${quoted(address)}">x</a>`,
  (address) => `<a href='${address.replaceAll("'", '&#39;')}'>x</a>`,
  (address) => `<img src="${quoted(address)}">`,
  (address) => `<iframe src="${quoted(address)}"></iframe>`,
  (address) => `<video src="${quoted(address)}" poster="${quoted(address)}"></video>`,
  (address) => `<blockquote cite="${quoted(address)}">x</blockquote>`,
  (address) => `<svg><a xlink:href="${quoted(address)}"><rect width="9" height="9"/></a></svg>`,
  (address) => `<math href="${quoted(address)}"><mi xlink:href="${quoted(address)}">x</mi></math>`,
  (address) => `<form action="${quoted(address)}"><button formaction="${quoted(address)}">x</button></form>`,
  (address) => `<object data="${quoted(address)}"><embed src="${quoted(address)}"></object>`,
  (address) => `<base href="${quoted(address)}"><link rel="stylesheet" href="${quoted(address)}">`,
  (address) => `<meta http-equiv="refresh" content="0;url=${quoted(address)}">`,
];

function quoted(address: string): string {
  return address.replaceAll('"', '&quot;');
}

const HANDLERS =
  'onclick onload onerror onmouseover onfocus onblur ontoggle onbeforetoggle onanimationstart onanimationend ' +
  'ontransitionend onscroll onwheel onkeydown oninput onchange onsubmit onplay oncanplay onloadstart onbegin ' +
  'onend onrepeat onpointerover onpointerrawupdate oncut oncopy onpaste oncontextmenu onresize onhashchange ' +
  'onpageshow onunload onbeforeunload onmessage onfocusin ondragstart ondrop onauxclick onsearch onwebkitplaybacktargetavailabilitychanged ' +
  'oncontentvisibilityautostatechange onscrollsnapchange onslotchange onsecuritypolicyviolation onfinish onstart onbounce';
const HOLDERS = ['p', 'img src="x"', 'video src="x" controls', 'details open', 'a href="#"', 'svg', 'math', 'body', 'marquee', 'input autofocus', 'iframe src="https://www.youtube.com/embed/x"']; // prettier-ignore
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => ` ${name}="${RUN}"`,
  (name) => ` ${name.toUpperCase()}=${RUN}`,
  (name) => `/${name}='${RUN}'`,
  (name) => `\n${name}\t=\r\n"${RUN}"`,
  (name) => `\u000c${name}=${RUN} `,
  (name) => ` x="y"${name}="${RUN}"`,
  (name) => ` "${name}="${RUN}"`,
  (name) => ` =${name}="${RUN}" ${name}="${RUN}"`,
  (name) => ` ${name}\u0000="${RUN}"`,
  (name) => ` <${name}="${RUN}"`,
];

/** Hosts that resemble allowed embeds. */
const FRAMES = [
  'https://evil.example/never', '//evil.example/never', 'https:evil.example/never', 'https:/evil.example/never',
  'https:\\\\evil.example\\never', '/\\evil.example/never', '\\\\evil.example\\never', 'ht\ntps://evil.example/never',
  'https://www.youtube.com@evil.example/never', 'https://www.youtube.com:x@evil.example/never',
  'https://www.youtube.com%40evil.example/never', 'https://www.youtube.com%2f@evil.example/never',
  'https://www.youtube.com.evil.example/never', 'https://wwwxyoutube.com/never', 'https://youtube.com/never',
  'https://evil.example/never?https://www.youtube.com/', 'https://evil.example/never#https://www.youtube.com/',
  'https://evil.example\\@www.youtube.com/never', 'https://evil.example\\www.youtube.com/never',
  'https://evil.example\t@www.youtube.com.evil.example/never', 'https://evil.example/never/www.youtube.com/embed',
  'https://www.y\u043eutube.com/never', 'https://www.youtub\u0435.com/never', 'https://www\u3002youtube\u3002com.evil.example/never',
  'https://xn--www-youtube-com.example/never', 'https://www.youtube.com\u2044.evil.example/never',
  'https://www.youtube.com\uff0fevil.example/never', 'https://www.youtube.com\uff20evil.example/never',
  'https://www.youtube.com\u0000.evil.example/never', 'https://www.youtube.com.:443@evil.example/never',
  'https://[::ffff:1.2.3.4]/never', 'https://0x7f000001/never', 'http://localhost/never', 'https://127.0.0.1/never',
  'https://player.vimeo.com.evil.example/never', 'https://evilplayer.vimeo.com/never', 'https://x.codepen.io/never',
  'wss://www.youtube.com/never', 'ftp://www.youtube.com/never', 'feed:https://www.youtube.com/never',
  'https:///evil.example/never', 'https://evil.example;www.youtube.com/never', 'https://evil.example&#47;never',
  'https://www.youtube.com:444/never', 'https://www.youtube.com./never', 'https://ww\tw.evil.example/never',
]; // prettier-ignore

/** Elements whose content is text for some parsers and elements for others. */
const RAW = ['style', 'script', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript', 'plaintext', 'textarea',
  'title', 'template', 'select', 'option', 'svg', 'math', 'svg><style', 'math><style', 'svg><title', 'svg><desc',
  'svg><foreignObject', 'math><mtext', 'math><annotation-xml encoding="text/html"', 'svg><script', 'listing', 'frameset', 'object', 'applet', 'audio', 'video', 'canvas', 'button', 'head', 'body', 'html', 'image', 'isindex', 'keygen', 'portal', 'fencedframe', 'dialog open', 'slot', 'x-y']; // prettier-ignore
const INSIDE = [
  `<img src=x onerror=${RUN}>`,
  `<img title="</NAME><img src=x onerror=${RUN}>">`,
  `<p title="</NAME><script>${RUN}</script>">x`,
  `</NAME><img src=x onerror=${RUN}>`,
  `<!--</NAME><img src=x onerror=${RUN}>-->`,
  `<![CDATA[</NAME><img src=x onerror=${RUN}>]]>`,
  `<a id="</NAME><svg onload=${RUN}>">`,
  `&lt;/NAME&gt;&lt;img src=x onerror=${RUN}&gt;`,
  `<p class="language-</NAME><img src=x onerror=${RUN}>">`,
];

const STYLES = [
  'position:fixed;inset:0', 'position:absolute;top:-999px', 'background:url(URL)', 'background-image:url(URL)',
  'list-style:url(URL)', 'content:url(URL)', 'cursor:url(URL),auto', 'border-image:url(URL)', 'filter:url(URL#x)',
  'mask:url(URL)', 'clip-path:url(URL#x)', 'shape-outside:url(URL)', 'background-color:red;background:url(URL)',
  'color:red;}*{display:none', 'width:expression(canary(1))', 'behavior:url(URL)', '-moz-binding:url(URL)',
  'color:url(URL)', 'color:rgb(1,2,3);background:url(URL)', 'background-color:rgba(url(URL))', 'width:999%',
  'width:calc(100% + 9999px)', 'width:100vw', 'height:100vh', 'margin:-9999px', 'transform:scale(99)', 'z-index:9999',
  'animation:x 1s', 'transition:all 1s', 'display:none', 'opacity:0', 'font-size:9999px', 'float:left',
  'text-align:center;position:fixed', 'color:red!important;position:fixed!important', 'c\\6flor:url(URL)',
  'back\\67round:u\\72l(URL)', '/*x*/position:/*y*/fixed', 'color:/**/url(URL)', '--x:url(URL);background:var(--x)',
  'all:unset;position:fixed', 'background:image-set("URL" 1x)', 'background-color:attr(title type(<color>))',
  'color:red\u0000;position:fixed', '@import "URL"', 'color:var(--x,url(URL))', 'text-decoration:none url(URL)',
]; // prettier-ignore

/** Single cases from the literature. */
const SINGLE = [
  '<script>canary(1)</script>', '<SCRIPT SRC=//evil.example/never></SCRIPT>', '<script/x>canary(1)</script>',
  '<script\u0000>canary(1)</script>', '<scr<script>ipt>canary(1)</scr</script>ipt>', '<<script>canary(1)//<</script>',
  '<script>canary(1)', '<script src="data:,canary(1)"></script>', '<script type="module">canary(1)</script>',
  '</script><script>canary(1)</script>', '<script ~~~>canary(1)</script ~~~>', '<script>canary(1)</script\u0020x>',
  '"><script>canary(1)</script>', "'><img src=x onerror=canary(1)>", '`><img src=x onerror=canary(1)>',
  '<img src=x onerror=canary(1)//', '<img src=x:x onerror=canary(1)>', '<img/src=x/onerror=canary(1)>',
  '<img """><script>canary(1)</script>"\\>', '<img src="x` `<script>canary(1)</script>"` `>',
  '<img src onerror /" \'"= alt=canary(1)//">', '<img src=x srcset="https://evil.example/never 1x">',
  '<picture><source srcset="https://evil.example/never"><img src=x></picture>',
  '<video><source src="https://media.example/a.mp4" onerror=canary(1)></video>',
  '<audio src=x onerror=canary(1) autoplay>', '<video poster=javascript:canary(1)></video>',
  '<video><track src="https://evil.example/never" default></video>',
  '<svg onload=canary(1)>', '<svg/onload=canary(1)>', '<svg><script>canary(1)</script>', '<svg><script href="data:,canary(1)" />',
  '<svg><script xlink:href=data:,canary(1)></script>', '<svg><animate onbegin=canary(1) attributeName=x dur=1s>',
  '<svg><set attributeName="onmouseover" to="canary(1)">', '<svg><use href="data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg><script>canary(1)</script></svg>#x">',
  '<svg><a><animate attributeName=href values=javascript:canary(1) /><text x=20 y=20>x</text></a>',
  '<svg><foreignObject><iframe srcdoc="<script>parent.canary(1)</script>"></foreignObject>',
  '<svg><image href="https://evil.example/never"/>', '<svg><style>*{background:url(https://evil.example/never)}</style>',
  '<math><maction actiontype="statusline#http://x" xlink:href="javascript:canary(1)">x</maction></math>',
  '<math><a xlink:href="javascript:canary(1)">x</a></math>', '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=canary(1)&gt;">',
  '<math><mtext><table><mglyph><style><math><img src=x onerror=canary(1)>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=canary(1)>',
  '<svg></p><style><a id="</style><img src=1 onerror=canary(1)>">', '<svg><p><style><g title="</style><img src onerror=canary(1)>">',
  '<noscript><p title="</noscript><img src=x onerror=canary(1)>">', '<noembed><p title="</noembed><img src=x onerror=canary(1)>">',
  '<listing>&lt;img src=x onerror=canary(1)&gt;</listing>', '<textarea><img title="</textarea><img src=x onerror=canary(1)>"></textarea>',
  '<x-y><template><img src=x onerror=canary(1)></template>', '<template shadowrootmode="open"><script>canary(1)</script></template>',
  '<div><template shadowrootmode=open><img src=x onerror=canary(1)></template></div>',
  '<iframe srcdoc="<script>parent.canary(1)</script>"></iframe>', '<iframe srcdoc="&lt;script&gt;parent.canary(1)&lt;/script&gt;" src="https://www.youtube.com/embed/x"></iframe>',
  '<iframe src="https://www.youtube.com/embed/x" onload="canary(1)" name="location" allow="camera *" sandbox="allow-scripts" csp="x">',
  '<iframe></iframe><iframe src=""></iframe><iframe src="   "></iframe><iframe src="#"></iframe><iframe src="?"></iframe>',
  '<frameset><frame src="javascript:canary(1)"></frameset>', '<portal src="https://evil.example/never"></portal>', '<fencedframe src="https://evil.example/never">',
  '<object data="https://evil.example/never" type="text/html"></object>', '<embed src="https://evil.example/never" code="x">',
  '<applet code="x" archive="https://evil.example/never"></applet>', '<param name=src value=https://evil.example/never>',
  '<link rel=stylesheet href=https://evil.example/never>', '<link rel=preload as=script href=https://evil.example/never>',
  '<link rel=prefetch href=https://evil.example/never>', '<link rel=dns-prefetch href=//evil.example/never>', '<link rel=import href=https://evil.example/never>',
  '<style>@import "https://evil.example/never";</style>', '<style>*{background:url(https://evil.example/never)}</style>', '<style/><img src=x onerror=canary(1)></style>',
  '<base href="https://evil.example/never/"><a href="x">y</a><img src="x">', '<base target="_blank">',
  '<meta http-equiv="refresh" content="0;https://evil.example/never">', '<meta http-equiv="refresh" content="0;url=javascript:canary(1)">',
  '<meta http-equiv="Content-Security-Policy" content="script-src *">', '<meta charset="utf-7">+ADw-script+AD4-canary(1)+ADw-/script+AD4-',
  '<form action="https://evil.example/never"><input type=submit id=x></form><button form=x formaction=javascript:canary(1)>',
  '<input type=image src=https://evil.example/never onerror=canary(1)>', '<isindex type=image src=1 onerror=canary(1)>', '<input autofocus onfocus=canary(1)>',
  '<button popovertarget=x>y</button><p popover id=x onbeforetoggle=canary(1)>', '<dialog open onclose=canary(1)>x</dialog>',
  '<body onload=canary(1)>', '<html onmouseover=canary(1)>', '<body background="https://evil.example/never">', '<table background="https://evil.example/never"><td background="https://evil.example/never">',
  '<a href="https://x.example/" target="_blank" ping="https://evil.example/never" download>x</a>', '<a href="https://x.example/" target="_top" onclick=canary(1)>x</a>',
  '<area href="javascript:canary(1)" shape=default>', '<map name=x><area href=javascript:canary(1) coords=0,0,9,9></map><img usemap=#x src=x>',
  '<!--><script>canary(1)</script>-->', '<!---><img src=x onerror=canary(1)>-->', '<!-- --!><img src=x onerror=canary(1)> -->', '<!--[if gte IE 4]><script>canary(1)</script><![endif]-->',
  '<!-><img src=x onerror=canary(1)>', '<!x><img src=x onerror=canary(1)>', '<?xml version="1.0"?><?x <img src=x onerror=canary(1)>?>', '</ <img src=x onerror=canary(1)>>', '<!DOCTYPE x [<!ENTITY y "<script>canary(1)</script>">]>&y;',
  '<![CDATA[<script>canary(1)</script>]]>', '<svg><![CDATA[><img src=x onerror=canary(1)>]]></svg>', '<%<script>canary(1)</script>%>', '<!ELEMENT x ANY><img src=x onerror=canary(1)>',
  '<p title="<!--"><!--"><img src=x onerror=canary(1)>--><p>', '<a title="--><img src=x onerror=canary(1)>">x</a>',
  '<p id="</p><script>canary(1)</script>">x</p>', "<p title='a\"onmouseover=\"canary(1)'>x</p>", '<p title=a"onmouseover="canary(1)>x</p>', '<p title=`a`onmouseover=canary(1)>x</p>',
  '<a href=a"onmouseover=canary(1)//>x</a>', '<a href="&quot; onmouseover=&quot;canary(1)">x</a>', '<img alt="`` onerror=canary(1)" src=x>', '<img src="x&#10;onerror=canary(1)">',
  '<p class="x\u0000" onclick\u0000="canary(1)">y</p>', '<p/onclick=canary(1)/title=x>y', '<p\u00a0onclick=canary(1)>y', '<p\u0085onclick=canary(1)>y', '<p\u2028onclick=canary(1)>y', '<p\u000bonclick=canary(1)>y',
  '\ufeff<script>canary(1)</script>', '\u0000<\u0000script>canary(1)</script>', '<\u00a0script>canary(1)</script>', '\uff1cscript\uff1ecanary(1)\uff1c/script\uff1e', '&lt;script&gt;canary(1)&lt;/script&gt;', '&#60;script&#62;canary(1)&#60;/script&#62;', '&lt;img src=x onerror=canary(1)&gt;', '&amp;lt;script&amp;gt;canary(1)',
  '%3Cscript%3Ecanary(1)%3C/script%3E', '\\x3cscript\\x3ecanary(1)', '+ADw-script+AD4-canary(1)+ADw-/script+AD4-', '\u00bcscript\u00becanary(1)\u00bc/script\u00be',
  '<p>a<p>b<table><p>c<td>d<script>canary(1)</script></table>', '<table><tr><td><a href="javascript:canary(1)"><table><a href=x>', '<a><a href=javascript:canary(1)>', '<b><p><i></b><img src=x onerror=canary(1)></i>', '<select><option><img src=x onerror=canary(1)></select>', '<select><iframe src=javascript:canary(1)></select>', '<select><style></select><img src=x onerror=canary(1)></style>',
  '<ruby><rp><img src=x onerror=canary(1)>', '<p><svg><p><img src=x onerror=canary(1)>', '<math><p></math><img src=x onerror=canary(1)>', '<table><svg><tr><style><img title="</style><img src=x onerror=canary(1)>">',
  '<ul is="x-y" onclick=canary(1)><li value="javascript:canary(1)">', '<p contenteditable autofocus onfocus=canary(1) tabindex=1 accesskey=x>', '<p style="x" xml:base="javascript:canary(1)/" xmlns:xlink="x">', '<p data-x="{{constructor.constructor(\'canary(1)\')()}}" ng-app v-html x-data="canary(1)" hx-on:click="canary(1)" hx-get="/never">{{constructor}}</p>',
  '<p slot=x part=y exportparts=z nonce=a itemscope inert hidden draggable=true dropzone=x>z</p>', '<bgsound src=javascript:canary(1)>', '<layer src=https://evil.example/never>', '<xss style="behavior:url(https://evil.example/never)">', '<marquee onstart=canary(1)>x</marquee>', '<blink>x</blink>', '<keygen autofocus onfocus=canary(1)>', '<menuitem icon="https://evil.example/never" onclick=canary(1)>',
  '<image src=x onerror=canary(1)>', '<xml src=https://evil.example/never id=x></xml><span datasrc=#x datafld=y dataformatas=html>', '<?import namespace="t" implementation="https://evil.example/never">', '<import src=https://evil.example/never>', '<comment><img src="</comment><img src=x onerror=canary(1)//">',
  `<div>${'<div>'.repeat(600)}<script>canary(1)</script>`, `<p ${'x="y" '.repeat(500)}onclick=canary(1)>`, `${'<b>'.repeat(300)}<img src=x onerror=canary(1)>`, `${'<svg><style>'.repeat(50)}<img src=x onerror=canary(1)>`, `${'<math><mtext><table>'.repeat(60)}<mglyph><style><img src=x onerror=canary(1)>`,
]; // prettier-ignore

function everyVector(): string[] {
  const handlers = HANDLERS.split(' ').flatMap((name, index) => [
    ...HOLDERS.slice(0, 3).map((holder) => `<${holder} ${name}="${RUN}">`),
    `<${HOLDERS[index % HOLDERS.length]}${SPELLINGS[index % SPELLINGS.length]?.(name) ?? ''}>`,
  ]);
  const spelled = HOLDERS.flatMap((holder) =>
    SPELLINGS.flatMap((spell) => [`<${holder}${spell('onerror')}>`, `<${holder}${spell('onclick')}>x`]),
  );
  const addresses = RUNNING_ADDRESSES.flatMap((address) => WITH_ADDRESS.map((write) => write(address)));
  const frames = FRAMES.flatMap((src) => [
    `<iframe src="${src}"></iframe>`,
    `<!-- --><iframe width=1 src='${src}'>`,
  ]);
  const raw = RAW.flatMap((begin) => {
    const name = /[a-z-]+$/i.exec(begin.replace(/ .*/, ''))?.[0] ?? begin;
    return INSIDE.map((inside) => `<${begin}>${inside.replaceAll('NAME', name)}</${name}>`);
  });
  const styles = STYLES.flatMap((style) => [
    `<p style="${style.replaceAll('URL', NEVER).replaceAll('"', '&quot;')}">x</p>`,
    `<td style='${style.replaceAll('URL', `"${NEVER}"`)}'>x`,
  ]);
  return [...new Set([...SINGLE, ...handlers, ...spelled, ...addresses, ...frames, ...raw, ...styles])];
}

export const VECTORS: readonly string[] = everyVector();
