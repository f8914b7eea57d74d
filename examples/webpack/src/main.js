// Imported first, so that errors of the other modules are reported, too.
import './start-sdk.js';
import { captureException } from '@service/browser';

const cart = { items: [{ name: 'oolong', cents: 800 }, { name: 'sencha' }] };

document.querySelector('#total').addEventListener('click', () => {
  const total = cart.items.reduce((sum, { cents }) => sum + cents, 0);
  if (Number.isNaN(total)) throw new TypeError('An item has no price');
});

document.querySelector('#pay').addEventListener('click', async () => {
  const response = await fetch('payment');
  if (!response.ok) throw new Error(`The payment was refused: ${response.status}`);
});

document.querySelector('#voucher').addEventListener('click', () => {
  try {
    JSON.parse('TEA-10');
  } catch (error) {
    captureException(error, { level: 'warning', metadata: { voucher: 'TEA-10' } });
  }
});
