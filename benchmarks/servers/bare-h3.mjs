import { createServer } from 'node:http';
import { H3, toNodeHandler } from 'h3';

// Measures the cost of the framework: responds to a POST without reading its body.
const response = { success: true, error_group_id: 1, fingerprint: '0'.repeat(32), is_new_group: false };
const app = new H3().post('/api/v1/errors', () => response);

const server = createServer(toNodeHandler(app));
server.listen(0, '127.0.0.1', () => console.log(`Listening: http://127.0.0.1:${server.address().port}`));
