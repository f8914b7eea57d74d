import type { Action } from '../lib/action.ts';
import { show } from '../lib/show.ts';
import { amount, word } from '../lib/values.ts';

class Gauge extends HTMLElement {
  static observedAttributes = ['unit', 'value'];
  scale?: { steps: number[] };

  attributeChangedCallback(name: string, _before: string | null, text: string): void {
    if (name === 'unit') throw new Error(`The unit ${text} is unknown`);
    show(this.scale!.steps.length);
  }
}

customElements.define('work-gauge', Gauge);

export const gauges: Action[] = [
  ['gauge-unit', () => document.createElement('work-gauge').setAttribute('unit', word())],
  ['gauge-value', () => document.createElement('work-gauge').setAttribute('value', String(amount()))],
];
