/** What every page with data must say: when it was last received, and that it is not known if nobody knows. */
import { RECEIVED_HOURS_AGO } from '../service.ts'
import { all, type Expectation, type Expecting, fact } from './expecting.ts'

type Kind = 'bookings' | 'sessions' | 'orders'

/** The service received everything so many hours ago, or nothing of the kind. */
async function ageText({ api, say }: Expecting, kind: Kind): Promise<string> {
  const received = (await api.headers('/me')).get('data-received') ?? ''
  if (!new RegExp(`(?:^|, )${kind}=@`).test(received)) return say(`${kind}AgeUnknown`)
  return say(`${kind}Received`, { age: `${RECEIVED_HOURS_AGO} h` })
}

export const withAge =
  (kind: Kind, expectation: Expectation): Expectation =>
  async (expecting) => [
    ...(await expectation(expecting)),
    all(fact('how old the data is', [await ageText(expecting, kind)])),
  ]
