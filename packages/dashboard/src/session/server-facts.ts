const words = document.querySelector<HTMLMetaElement>('meta[name=service]')?.content.split(' ') ?? [];

/**
 * What the server has told with the page: to ask would cost a way there and back, and a refusal in the console.
 * `registration`: anybody may make an account.
 */
export const isTold = (fact: 'signed-in' | 'demo' | 'registration'): boolean => words.includes(fact);

const valueOf = (name: string): string | null =>
  words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;

/** Where the live stream was when the page was made: whoever begins there misses nothing that is loaded after it. */
export const toldPosition = valueOf('position');

/** Whom to write to for help, if the operator has set an address. */
export const supportEmail = valueOf('support');
