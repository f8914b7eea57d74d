import { MockService, type MockServiceOptions } from './mock-service.ts';
import { WorkerClient } from './server/worker-client.ts';

/** The mocked service of tests in Node.js: its server runs in a thread of the test process. */
export class NodeMockService extends MockService {
  constructor(options: MockServiceOptions = {}) {
    super(options, (settings) => new WorkerClient(settings));
  }
}
