import type { Action } from '../lib/action.ts';
import { Emitter } from '../lib/emitter.ts';
import { show } from '../lib/show.ts';

interface Scan {
  device?: { serial: string };
}

const scanner = new Emitter();

export function installScanner(): void {
  scanner.on('pause', () => show('paused'));
  scanner.on('start', (scan: Scan) => {
    show('scanning');
    show(scan.device!.serial);
  });
  scanner.on('stop', (scan: Scan) => {
    show('stopping');
    const { device } = scan;
    show(`stopped ${device!.serial}`);
  });
}

const bench = new EventTarget();

export function wireBench(drafts: { current?: { number: number } }): void {
  bench.addEventListener('save', () => {
    const next = drafts.current!.number + 1;
    show(next);
  });
  bench.addEventListener('load', () => {
    show('loading');
    show(drafts.current!.number);
  });
}

installScanner();
wireBench({});

export const counter: Action[] = [
  ['scan-start', () => scanner.emit('start', {})],
  ['scan-stop', () => scanner.emit('stop', {})],
  ['bench-save', () => bench.dispatchEvent(new Event('save'))],
  ['bench-load', () => bench.dispatchEvent(new Event('load'))],
];
