/** What the words of a status or role column mean: the catalogues in every language, and what booking systems write. */

import { type LabelKind, labelOf, labelsOf } from '../../../locale/labels.ts'
import { LANGUAGES } from '../../../locale/languages.ts'
import { BOOKING_STATUSES, ROLES } from '../../../records/fields/statuses.ts'
import { mayBeValue } from './text-lengths.ts'
import { plainWord } from './words.ts'

const RAW = {
  role: ROLES,
  status: BOOKING_STATUSES,
  orderStatus: valuesOf('orderStatus'),
  paymentStatus: valuesOf('paymentStatus'),
  paymentMethod: valuesOf('paymentMethod'),
} as const
type Kind = keyof typeof RAW

/** Those that have labels; an order may have others. */
function valuesOf(kind: LabelKind): readonly string[] {
  return Object.keys(labelsOf('en', kind))
}

/** By raw value. Accents, case and punctuation make no difference. */
const OTHERS: Readonly<Record<string, string>> = {
  confirmed:
    'ok|fix|fest|conf|accepted|approved|booked|reserved|new|modified|active|guaranteed|definite|gebucht|bestatigt|reserviert|confirmee|confirme|confirmada|confirmado|confermata|confermato|confirmata|confirmat|potwierdzona|potwierdzone|przyjeta|przyjete|potvrzeno|potvrzena|potvrdene|potvrdena|megerositve|visszaigazolt|visszaigazolva|potvrdeno|potrjeno|potrjena|потвърдена|потвърдено|подтверждено|подтверждена|підтверджено|підтверджена|επιβεβαιωμενη|επιβεβαιωθηκε|onaylandi|bevestigd|bekraeftet|bekraftad|bekreftet|vahvistettu|stadfest',
  arrived:
    'an|checked in|checked-in|check-in|checkedin|in house|inhouse|in-house|staying|eingecheckt|im haus|angereist|arrive|llegado|en casa|arrivato|in casa|chegou|hospedado|cazat|sosit|zameldowany|zameldowana|ubytovan|ubytovany|ubytovana|bejelentkezett|erkezett|prijavljen|nastanen|настанен|заселен|заехал|заселений|αφιχθη|giris yapti|ingecheckt|aangekomen|indtjekket|ankommet|incheckad|innsjekket|saapunut|kirjautunut',
  departed:
    'ab|checked out|checked-out|check-out|checkedout|completed|past|stayed|left|ausgecheckt|abgereist|parti|partie|termine|salido|finalizada|partito|completata|saiu|concluida|plecat|finalizat|wymeldowany|wymeldowana|zakonczona|odubytovan|odjel|odisiel|kijelentkezett|tavozott|elutazott|odjavljen|напуснал|заминал|выехал|выселен|виїхав|αναχωρησε|cikis yapti|uitgecheckt|vertrokken|udtjekket|afrejst|utcheckad|avrest|utsjekket|reist|lahtenyt|poistunut',
  cancelled:
    'st|can|canc|canceled|cancelled by guest|cancelled by host|cancelled by property|cancelled_by_guest|no show|no-show|noshow|declined|rejected|denied|withdrawn|void|expired|storno|storniert|abgesagt|nicht erschienen|annulee|annule|cancelada|cancelado|anulada|anulado|annullata|annullato|cancellata|anulata|anulat|anulowana|anulowane|anulowany|odwolana|zruseno|zrusena|zrusene|stornovano|stornovana|torolve|torolt|lemondva|lemondott|otkazano|otkazana|stornirano|preklicano|odpovedano|отменена|отменено|анулирана|отменён|аннулировано|скасовано|скасована|ακυρωθηκε|ακυρωμενη|iptal|iptal edildi|geannuleerd|annulleret|aflyst|avbokad|avbestalld|kansellert|avbestilt|peruttu|peruutettu|afbokud|afbokad',
  waitingList:
    'wl|waitlist|waitlisted|waiting|waiting list|on hold|warteliste|liste d attente|lista de espera|lista d attesa|lista de asteptare|lista oczekujacych|poradnik|cakaci listina|varolista|lista cekanja|wachtlijst|venteliste|vantelista|jonotuslista',
  review:
    'pending|request|requested|inquiry|enquiry|open|unconfirmed|provisional|tentative|awaiting payment|angefragt|anfrage|offen|vorgemerkt|in prufung|en attente|pendiente|in attesa|pendente|in asteptare|oczekujaca|oczekuje|ceka|cekajici|fuggoben|fuggo|na cekanju|в ожидании|ожидает|изчакваща|очікує|εκκρεμει|beklemede|in afwachting|afventer|vantar|avventer|odottaa',
  offer:
    'quote|quotation|angebot|devis|oferta|offerta|nabidka|ajanlat|ponuda|предложение|оферта|tarjous|tilbud|offert|offerte',
  paid: 'payed|fully paid|bezahlt|paye|payee|pagado|pagada|pagato|pago|platit|achitat|oplacona|zaplaceno|zaplatene|kifizetve|placeno|placano|платена|оплачено|πληρωμενη|odendi|betaald|betalt|betald|maksettu',
  voided: 'invalid|test|ungultig',
  patient: 'pat|patienten|pacient|pacjent|paziente|paciente|kurgast|klient',
  companion:
    'begl|begleitung|begleiter|begleitperson|accompanying|accompagnateur|accompagnant|acompanante|acompanhante|accompagnatore|insotitor|osoba towarzyszaca|doprovod|sprievod|kisero|pratnja|spremljevalec|begeleider|ledsager|medfoljande|folgesvenn|saattaja',
  guest:
    'adult|child|guest|gast|hote|huesped|ospite|hospede|oaspete|gosc|host|vendeg|gost|гост|гость|гість|gaest|gast|gjest|vieras',
}

const meanings: { [Each in Kind]?: ReadonlyMap<string, string> } = {}

/** The raw value of a word, `arrived` for `Angereist`; undefined if it is not known. */
export function rawWord(kind: Kind, word: string): string | undefined {
  if (!mayBeValue(word)) return undefined
  meanings[kind] ??= meaningsOf(kind)
  return meanings[kind].get(folded(word))
}

const folded = (word: string) => plainWord(word).replaceAll(/[\s_\-’']+/g, ' ')

/** A raw value itself takes precedence over labels, and labels over words of other programs. Of two labels, the first counts. */
function meaningsOf(kind: Kind): ReadonlyMap<string, string> {
  const known: readonly string[] = RAW[kind]
  const own = known.map((raw) => [raw, raw] as const)
  const labels = known.flatMap((raw) =>
    LANGUAGES.map((language) => [labelOf(language, kind, raw), raw] as const),
  )
  const others = Object.entries(OTHERS)
    .filter(([raw]) => known.includes(raw))
    .flatMap(([raw, words]) => words.split('|').map((word) => [word, raw] as const))
  // In a map, the last entry for a key wins, so the order is reversed.
  return new Map([...own, ...labels, ...others].reverse().map(([word, raw]) => [folded(word), raw]))
}
