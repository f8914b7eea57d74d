export { ApiClient, ApiError, UnreachableError } from './api-client.ts';
export { chooseProject, ProjectChoiceError } from './choose-project.ts';
