import { setupSpotlight } from '@spotlightjs/spotlight';

// Its own greeting tells the port.
await setupSpotlight({ port: 0, isStandalone: true });
