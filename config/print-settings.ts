/** `npm run settings:table` and `npm run settings:example`: prints the table of docs/settings.md, or .env.example. */
import { envExample, settingsMarkdown } from './settings-document';

process.stdout.write(process.argv[2] === 'example' ? envExample() : `${settingsMarkdown()}\n`);
