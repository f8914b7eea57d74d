export { ApiClient, ApiError, UnreachableError } from './api-client.ts';
export { selectProject, ProjectSelectionError } from './select-project.ts';
