const words = document.querySelector<HTMLMetaElement>('meta[name=service]')?.content.split(' ') ?? [];

/** What the server has told with the page: to ask would cost a way there and back, and a refusal in the console. */
export const pageFacts = {
  isSignedIn: words.includes('signed-in'),
  hasDemo: words.includes('demo'),
};
