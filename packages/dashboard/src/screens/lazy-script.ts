// All screens except the error list, an error and the sign-in; also warnings, the rarely opened parts of an error, and
// its explanation, if it has one. They are one script, which is loaded when the first of them is shown.
export { Markdown } from '../components/markdown.tsx';
export { Banners } from '../shell/banners.tsx';
export { ReportList } from './reports/report-list.tsx';
export { GroupingDetails } from './grouping/grouping-details.tsx';
export { NoMatches } from './no-matches/no-matches.tsx';
export { mergeGroups } from './grouping/merge-groups.ts';
export { AccountScreen } from './account/account-screen.tsx';
export { ProjectScreen } from './projects/project-screen.tsx';
export { ProjectsScreen } from './projects/projects-screen.tsx';
export { FirstProject } from './start/first-project.tsx';
export { SetupGuide } from './start/setup-guide.tsx';
export { TeamScreen } from './team/team-screen.tsx';
export { UsageScreen } from './usage/usage-screen.tsx';
