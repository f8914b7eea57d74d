// The screens outside of the error list: one script, loaded when the first of them opens.
export { AccountScreen } from './account/account-screen.tsx';
export { ProjectScreen } from './projects/project-screen.tsx';
export { ProjectsScreen } from './projects/projects-screen.tsx';
export { FirstProject } from './start/first-project.tsx';
export { SetupGuide } from './start/setup-guide.tsx';
export { TeamScreen } from './team/team-screen.tsx';
export { UsageScreen } from './usage/usage-screen.tsx';
