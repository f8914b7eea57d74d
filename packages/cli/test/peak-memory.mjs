// Loaded with `--import`: writes the peak memory of the process, in bytes.
import { writeFileSync } from 'node:fs';

process.on('exit', () => writeFileSync(process.env.PEAK_MEMORY_FILE, String(process.resourceUsage().maxRSS * 1_024)));
