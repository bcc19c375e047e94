/** A form that is sent once at a time. */
import { useState } from 'preact/hooks';

/** Takes a token, or shows why there is none. */
export type Enter = (token: () => Promise<string>) => Promise<void>;

export const textIn = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};

export const useSubmit = (submit: (form: FormData) => Promise<void>) => {
  const [isBusy, setBusy] = useState(false);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isBusy || !(event.currentTarget instanceof HTMLFormElement)) return;
    setBusy(true);
    void submit(new FormData(event.currentTarget)).finally(() => setBusy(false));
  };
  return { isBusy, onSubmit };
};
