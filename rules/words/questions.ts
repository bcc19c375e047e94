/** The subject of a question to a project, as words. */
import { nameOr } from './names';
import { count } from './times';

export interface QuestionToTell {
  readonly state: string;
  /** The host that is drained; only admins are told. */
  readonly hostname: string | null;
  readonly instance_id: string | null;
  readonly instance_ids: readonly string[];
  /** The first of the instances; left out by an older service. */
  readonly instances?: readonly AskedInstance[];
}

interface AskedInstance {
  readonly instance_id: string;
  readonly instance_name: string;
  /** null: its project does not learn it. */
  readonly host: string | null;
}

const namesShown = 3;

export const questionInWords = (question: QuestionToTell): string => {
  const { instance_id: instance, hostname, instance_ids: ids } = question;
  if (instance !== null) return `instance ${instanceInWords(instance, question)}`;
  const what = hostname === null ? wholeOf(question) : `host ${hostname}`;
  if (ids.length === 0) return what;
  const names = ids.slice(0, namesShown).map((id) => instanceInWords(id, question));
  const more = ids.length > namesShown ? ` and ${ids.length - namesShown} more` : '';
  return `${what}, ${count(ids.length, 'instance')}: ${names.join(', ')}${more}`;
};

/** A question to the project as a whole, which may be about none of its instances. */
const wholeOf = ({ state }: QuestionToTell): string => {
  if (state === 'SCALE_IN') return 'capacity for the session to go on';
  return state === 'MAINTENANCE_COMPLETE' ? 'the end of the session' : 'the whole session';
};

/** The host of the question says where its instances are. */
const instanceInWords = (id: string, { hostname, instances = [] }: QuestionToTell): string => {
  const known = instances.find((one) => one.instance_id === id);
  const isOn = known === undefined || known.host === null || known.host === hostname ? '' : ` on ${known.host}`;
  return `${nameOr(id, known?.instance_name)}${isOn}`;
};
