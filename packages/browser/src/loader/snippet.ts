/**
 * The first inline script of a page. Keeps up to 20 errors that happen before the SDK is loaded; `init()` reports them.
 * If its tag has `data-src`, the snippet also loads the SDK from there, as an ES module. It then calls `init()` with
 * the other data of the tag: `data-api-key`, `data-endpoint`, `data-release`…
 *
 * A string and not a function, because build tools change functions, and a Content-Security-Policy may contain its
 * hash.
 */
export const snippet = /* @__PURE__ */ [
  '{',
  'const{src,...options}={...document.currentScript?.dataset},',
  'early=[],',
  'keep=e=>early[19]||(e.early=Date.now(),early.push(e)),',
  'each=f=>["error","unhandledrejection"].map(e=>f(e,keep,1));',
  // A second snippet, or one that runs after init(), must not replace the state that exists.
  'self.__serviceSDK??=(each(addEventListener),{early,undo(f){each(removeEventListener);early.map(f);this.early=early.length=0}});',
  // import() inherits the nonce of this script and passes Trusted Types. The `src` of a new script element would not.
  'src&&import(new URL(src,document.baseURI)).then(e=>e.init(options)).catch(e=>console.warn("[ServiceSDK]",e))',
  '}',
].join('');
