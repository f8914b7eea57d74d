/**
 * To be the first script of a page, inline: keeps up to 20 errors that happen before the SDK is there, which init()
 * then reports. Where its own tag says `data-src`, it also loads the SDK from there, an ES module, and calls init()
 * with the rest of the tag's data: `data-api-key`, `data-endpoint`, `data-release`…
 *
 * A text and not a function, because tools change functions, and its hash may stand in a Content-Security-Policy.
 */
export const snippet = [
  '{',
  'const{src,...options}={...document.currentScript?.dataset},',
  'early=[],',
  'keep=e=>early[19]||(e.early=Date.now(),early.push(e)),',
  'each=f=>["error","unhandledrejection"].map(e=>f(e,keep,1));',
  // Neither a second copy of it nor one that came after init() may forget what the first knows.
  'self.__serviceSDK??=(each(addEventListener),{early,undo(f){each(removeEventListener);early.map(f);this.early=early.length=0}});',
  // import() is given the nonce of this script, and Trusted Types let it pass; the src of a new script they would not.
  'src&&import(new URL(src,document.baseURI)).then(e=>e.init(options)).catch(e=>console.warn("[ServiceSDK]",e))',
  '}',
].join('');
