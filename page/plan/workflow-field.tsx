/** The workflows to choose from. A package of the session may bring another one, which is named. */
import { Choice, TextField } from '../parts/fields';

interface WorkflowFieldProps {
  /** Those that the service has. */
  readonly known: readonly string[];
  readonly value: string;
  readonly onChange: (workflow: string) => void;
}

const meanings: Readonly<Record<string, string>> = {
  vnf: 'many hosts at once, projects are asked for each instance',
  k8s: 'many nodes of Kubernetes at once',
  default: 'one host after the other',
};

const wordsOf = (workflow: string): string => {
  const meaning = meanings[workflow];
  return meaning === undefined ? workflow : `${workflow}: ${meaning}`;
};

export const WorkflowField = ({ known, value, onChange }: WorkflowFieldProps) => {
  const isKnown = known.includes(value);
  return (
    <>
      <Choice
        label="Workflow"
        value={isKnown ? value : ''}
        options={[...known.map((name) => [name, wordsOf(name)] as const), ['', 'another one, from a package']]}
        onChange={onChange}
      />
      {!isKnown && (
        <TextField
          label="Name of the workflow"
          isRequired
          hint="as in the package that is named under Downloads"
          value={value}
          onChange={onChange}
        />
      )}
    </>
  );
};
