import { me } from './session.ts';

export const canWrite = (): boolean => me.value?.role !== 'viewer';
export const isOwner = (): boolean => me.value?.role === 'owner';
/**
 * Returns whether the user owns the first team, which operates the server. Only its owners can change settings of the
 * whole server.
 */
export const isOperator = (): boolean => isOwner() && me.value?.team.id === 1;
