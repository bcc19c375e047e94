/** The operator's page: shows itself where index.html has the room for it. */
import './styles/page.css';
import { render } from 'preact';
import { App } from './app';

const room = document.getElementById('page');
if (room !== null) render(<App />, room);
