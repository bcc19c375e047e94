/**
 * What keeps a program from starting and lies outside it: a server that does not answer, a namespace or a database that
 * is not there, a port that is taken. The message is one sentence that says what would help, so no stack is told.
 */
export class StartFault extends Error {
  override readonly name = 'StartFault';
}
