import { MockService, type MockServiceOptions } from '../mock-service.ts';
import { DevServerClient } from './dev-server-client.ts';

/** The mocked service of a page: its server runs in the process of Vite, which the plugin `serviceMocks()` starts. */
export class PageMockService extends MockService {
  constructor(options: MockServiceOptions = {}) {
    super(options, (settings) => new DevServerClient(settings));
  }
}
