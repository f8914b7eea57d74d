const words = document.querySelector<HTMLMetaElement>('meta[name=service]')?.content.split(' ') ?? [];

/** What the server has told with the page: to ask would cost a way there and back, and a refusal in the console. */
export const pageFacts = {
  /** Where the live stream was when the page was made: whoever begins there misses nothing that is loaded after it. */
  position: words.find((word) => word.startsWith('position='))?.slice(9) ?? null,
  isSignedIn: words.includes('signed-in'),
  hasDemo: words.includes('demo'),
};
