export const adminToken = 'contract-admin-token-0123456789';

export const adminPassword = 'correct horse battery';

/** The signing secret of the sandbox payment provider. */
export const sandboxSecret = 'a secret of the contract';

/** The password of every user that the tests create. */
export const password = 'a staple of a battery';

let emailCount = 0;

/** Returns an e-mail address that no server knows yet. */
export function freshEmail(): string {
  return `person-${++emailCount}-${process.pid}@contract.example`;
}
