import type { Action } from '../lib/action.ts';
import { render, type ComponentChild } from 'preact';
import { amount, id, word } from '../lib/values.ts';
import { show } from '../lib/show.ts';
import { addNotice, defineBadge, findBerth, findHull, watchDeck } from '../dom.ts';
import { decodeKey, decodeToken, partnerLink, previewLink, ticketLink, tokenHeaders } from '../links.ts';
import { Boundary, WidgetBoundary } from '../parts/boundary.tsx';
import { CabinList } from '../parts/cabin-list.tsx';
import { Chart, drawBuoy, watchChart, Waves } from '../parts/chart.tsx';
import { Timetable } from '../parts/timetable.tsx';
import { averageOf, Queue, Weather } from '../parts/widgets.tsx';
import { askWorker } from '../tide.ts';

function mount(part: ComponentChild): void {
  render(part, document.createElement('div'));
}

export const harbor: Action[] = [
  ['notice-node', () => addNotice(word())],
  ['deck-observe', () => void watchDeck(document.querySelector('#deck'))],
  ['chart-observe', () => watchChart(document.querySelector('#chart'))],
  ['berth-selector', () => show(findBerth(`${amount()}-${word()}`))],
  ['hull-selector', () => show(findHull(`${amount()}-${word()}`))],
  ['badge-name', () => defineBadge(word())],
  ['ticket-link', () => show(ticketLink(word(), id()))],
  ['partner-link', () => show(partnerLink(word()))],
  ['token-base64', () => show(decodeToken(`%${word()}%`))],
  ['key-base64', () => show(decodeKey(`%${word()}%`))],
  ['token-header', () => show([...tokenHeaders(`x ${word()}`, id())])],
  ['preview-blob', () => show(previewLink({ name: word() }))],
  ['buoy-radius', () => drawBuoy(-amount())],
  ['chart-levels', () => mount(<Chart levels={amount() as unknown as number[]} />)],
  ['waves-levels', () => mount(<Waves levels={amount() as unknown as number[]} />)],
  [
    'timetable-city',
    () =>
      mount(
        <Boundary>
          <Timetable legs={[{ hour: amount() }]} />
        </Boundary>,
      ),
  ],
  [
    'cabins-city',
    () =>
      mount(
        <Boundary>
          <CabinList cabins={[{ number: word() }]} />
        </Boundary>,
      ),
  ],
  [
    'queue-plates',
    () =>
      mount(
        <WidgetBoundary>
          <Queue cars={{ length: amount() }} />
        </WidgetBoundary>,
      ),
  ],
  [
    'weather-wind',
    () =>
      mount(
        <WidgetBoundary>
          <Weather wind={word()} />
        </WidgetBoundary>,
      ),
  ],
  ['hook-outside', () => show(averageOf([amount()]))],
  ['worker-highest', () => askWorker('highest', { name: word() })],
  ['worker-strongest', () => askWorker('strongest', { name: word() })],
  ['worker-harmonics', () => askWorker('harmonics', { name: word() })],
];
