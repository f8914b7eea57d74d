import type { ConfigInput } from '../../packages/server/src/index.ts';
import type { TestContext } from './context.ts';
import type { RequirementId } from './requirements.ts';
import type { Step } from './step.ts';
import type { TargetName } from './targets.ts';

/** One topic of the contract: its tests, each of which covers some requirements. */
export interface Suite {
  name: string;
  /** The targets to run on; all by default. */
  targets?: TargetName[];
  tests: ContractTest[];
}

export interface ContractTest {
  /** A sentence that is clear without the suite's name. The report appends the ids of the requirements. */
  title: string;
  covers: RequirementId[];
  /** Settings of the server. Tests with equal settings share one server and create their own projects there. */
  settings?: ConfigInput;
  /** True if the test needs a server that no other test uses. */
  needsOwnServer?: boolean;
  /** True if the test sets the clock. Such a test runs only on targets whose `runsInProcess` is true. */
  controlsClock?: boolean;
  /** The targets to run on; those of the suite by default. */
  targets?: TargetName[];
  /** True if the test is slow and therefore runs only in `npm run test:full`. */
  onlyInFullRun?: boolean;
  /** Requests to send in order, as data. A test has `steps`, `run` or both. */
  steps?: Step[];
  /** Runs after `steps`. */
  run?: (context: TestContext) => Promise<void>;
}
