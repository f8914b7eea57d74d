const { init } = require('@service/browser');
// A page of CommonJS that uses an ES module has one copy of the SDK.
const { capture } = require('./capture.mjs');

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
  capture: () => capture('capture fault'),
};

for (const [id, onclick] of Object.entries(faults))
  document.body.append(Object.assign(document.createElement('button'), { id, onclick, textContent: id }));
