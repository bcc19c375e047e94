import { backstopMs } from '../../waiting/backstop';

jest.setTimeout(backstopMs);
