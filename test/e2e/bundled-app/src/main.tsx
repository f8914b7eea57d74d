import { init } from '@service/browser';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { Basket } from './basket.ts';
import { Receipt } from './receipt.tsx';
import { reserve } from './stock.ts';

const settings = new URLSearchParams(location.search);
init({
  apiKey: settings.get('key') ?? '',
  endpoint: settings.get('server') ?? '',
  release: settings.get('release') ?? '',
});

const code = 'SAVE-lots';
const basket = new Basket([{ article: 'figs', pieces: 3 }], { tea: 4.5 });

function Shop() {
  const [isPaid, setPaid] = useState(false);
  const pay = () => {
    console.log(basket.total('EUR'));
  };
  return (
    <main>
      <button type="button" id="total" onClick={pay} />
      <button type="button" id="stock" onClick={() => reserve('figs')} />
      <button type="button" id="receipt" onClick={() => setPaid(true)} />
      <button
        type="button"
        id="voucher"
        onClick={async () => {
          const { redeem } = await import('./voucher.ts');
          redeem(code);
        }}
      />
      {isPaid && <Receipt basket={basket} customer={{ name: 'Ada' }} />}
    </main>
  );
}

render(<Shop />, document.querySelector('#root')!);
