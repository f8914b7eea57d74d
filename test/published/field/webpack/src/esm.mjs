import { captureException, init } from '@service/browser';

init({
  apiKey: 'pk_field',
  endpoint: new URLSearchParams(location.search).get('endpoint'),
  release: '1.0.0',
});

const faults = {
  throw() {
    throw new Error('throw fault');
  },
  reject: () => void Promise.reject(new Error('reject fault')),
  capture: () => captureException(new Error('capture fault')),
};

for (const [id, onclick] of Object.entries(faults))
  document.body.append(Object.assign(document.createElement('button'), { id, onclick, textContent: id }));
