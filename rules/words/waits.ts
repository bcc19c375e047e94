/** A waiting reason as words. */
export interface WaitToTell {
  readonly waiting_for: string;
  readonly subject: string;
  readonly subject_id: string | null;
  readonly subject_name: string | null;
  readonly who?: string;
  readonly because?: string | null;
}

export const waitInWords = (wait: WaitToTell): string => {
  const words = wordsOf[wait.waiting_for] ?? ((name: string) => `${wait.waiting_for} ${name}`);
  return words(wait.subject_name ?? wait.subject, wait);
};

const wordsOf: Readonly<Partial<Record<string, (name: string, wait: WaitToTell) => string>>> = {
  answer: (name) => `the answer of project ${name}`,
  group: (name) => `group ${name}, which is at its limit`,
  recovery: (name) => `group ${name}, which recovers`,
  affinity: (name) => `a host that suits group ${name}`,
  room: (name, { subject_name, because }) =>
    subject_name === null ? `capacity: ${because ?? name}` : `capacity that project ${name} frees`,
  host: (name, { subject, subject_id, who }) => {
    if (subject === who || subject === 'turn') return 'its turn';
    return subject_id === null ? `host ${name}` : `the move of ${name}`;
  },
  // `bus` has a reason only until the webhook accepts the question.
  bus: (name, { because }) => (because ? `the webhook of project ${name}` : 'the message bus'),
  time: (name) => `its time, ${name}`,
  window: (name) => name,
  content: (name, { because }) => because ?? `what is on host ${name}`,
  right: (name, { because }) => because ?? `the right ${name} in the cloud`,
  start: (name) => `host ${name} to be up again`,
  resume: (_, { because }) => because ?? 'the resume of the session',
};
