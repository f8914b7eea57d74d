import { setupSpotlight } from '@spotlightjs/spotlight';

// Spotlight itself prints the port.
await setupSpotlight({ port: 0, isStandalone: true });
