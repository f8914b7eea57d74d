import { largeBundles } from './maps/bundles.mjs';
import { measureResolving } from './maps/resolving.mjs';
import { measureUploading } from './maps/uploading.mjs';
import { temporaryFolder } from './measure/temporary-folder.mjs';
import { figure, table } from './output/table.mjs';

export const title = 'Source maps: resolving frames compared with two libraries, and uploads';

export const defaults = {
  frames: 20,
  /** The fresh processes of each measurement. */
  rounds: 3,
  uploads: 100,
};

/** @param {typeof defaults} options */
export async function run(options) {
  const bundles = await largeBundles();
  const resolving = await measureResolving(bundles, temporaryFolder(), options);
  const uploading = await measureUploading(bundles, temporaryFolder(), options);
  const ours = resolving.findLast(({ contender }) => contender.startsWith('service'));
  if (!ours) throw new Error('Nothing was measured.');
  const rows = resolving.map(({ bundle, mapMb, contender, coldMs, moreMb, warmMicroseconds }) => [
    `${bundle}, ${figure(mapMb, 1)} MB, ${contender}`,
    figure(coldMs, 1),
    figure(moreMb, 1),
    figure(warmMicroseconds, 1),
  ]);
  return {
    text: [
      table([`${options.frames} frames of a new map`, 'CPU, ms', 'memory, MB', 'again, µs each'], rows),
      table(
        ['through the server', ''],
        [
          ['upload of the largest map, s', figure(uploading.seconds, 1)],
          ['CPU of it, s', figure(uploading.cpuSeconds, 1)],
          ['maximum memory added, MB', figure(uploading.maxMb, 1)],
          [`a report of ${options.frames} frames, names of functions read, CPU ms`, figure(uploading.reportMs, 1)],
          ['of it in the main thread', figure(uploading.reportMainMs, 1)],
          ['the same again, CPU ms', figure(uploading.againMs, 1)],
          ['memory every ten uploads, MB', uploading.residentMb.map((mb) => figure(mb)).join(' ')],
        ],
      ),
    ].join('\n\n'),
    checks: [
      { name: 'cold frames of a map over 40 MB', value: ours.coldMs, unit: 'ms', atMost: 60 },
      { name: 'memory that they add', value: ours.moreMb, unit: 'MB', atMost: 20 },
      { name: 'event loop held up by its upload', value: uploading.delayMs, unit: 'ms', atMost: 250 },
      { name: `growth over ${options.uploads} uploads`, value: uploading.growthMb, unit: 'MB', atMost: 10 },
    ],
    data: { resolving, uploading },
  };
}
