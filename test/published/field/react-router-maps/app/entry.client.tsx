import { init } from '@service/browser';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';

const query = new URLSearchParams(location.search);
init({ apiKey: query.get('key') ?? '', endpoint: query.get('endpoint') ?? '' });
hydrateRoot(document, <HydratedRouter />);
