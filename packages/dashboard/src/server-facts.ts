/** Facts that the server has written into the page. Requesting them would take a round trip, or log a 401. */
const facts = contentOf('service').split(' ');

/** `mail`: the server can send e-mails. `registration`: users may create their own accounts. */
export const hasFact = (name: 'signed-in' | 'demo' | 'mail' | 'registration'): boolean => facts.includes(name);

/** The position of the live stream when the page was made. Everything loaded later is at least as new. */
export const initialStreamPosition = valueOf('position');

/** The support address, or null if the operator has set none. */
export const supportEmail = valueOf('support');

const [script = '', integrity = '', tarball = ''] = contentOf('sdk').split(' ');

/** The script of the SDK for pages without a bundler. */
export const sdkScript = { path: script, integrity };

/** The path of the SDK's tarball. Its content never changes, so the lockfiles of apps may contain its hash. */
export const sdkTarball = tarball;

function contentOf(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';
}

function valueOf(name: string): string | null {
  return facts.find((fact) => fact.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}
