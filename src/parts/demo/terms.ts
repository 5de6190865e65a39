import { DEMO_CENTER_ID, type IntakeRecord } from './record.ts'
import { ROOM_BEDS } from './rooms.ts'

type Names = { ro: string; no: string; de?: string; fr?: string }
type Term = [id: string, name: string, names?: Names]

const termsBySet = {
  program: [
    ['program-restore', 'Restore & Rebuild', { ro: 'Refacere', no: 'Gjenoppbygging', de: 'Aufbaukur' }],
    ['program-heart', 'Heart & Circulation', { ro: 'Inimă și circulație', no: 'Hjerte og sirkulasjon' }],
    [
      'program-mobility',
      'Joints & Mobility',
      { ro: 'Articulații și mobilitate', no: 'Ledd og bevegelighet' },
    ],
    [
      'program-weight',
      'Balanced Weight',
      { ro: 'Greutate echilibrată', no: 'Vekt i balanse', fr: 'Poids stable' },
    ],
    ['program-rest', 'Rest & Sleep', { ro: 'Odihnă și somn', no: 'Hvile og søvn', de: 'Ruhe und Schlaf' }],
  ],
  package: [
    ['package-essential', 'Essential', { ro: 'Esențial', no: 'Grunnpakke', de: 'Basis', fr: 'Essentiel' }],
    ['package-complete', 'Complete', { ro: 'Complet', no: 'Komplett', de: 'Komplett' }],
    ['package-medical', 'Medical Plus', { ro: 'Medical Plus', no: 'Medisinsk pluss' }],
    ['package-companion', 'Companion', { ro: 'Însoțitor', no: 'Ledsager', fr: 'Accompagnant' }],
  ],
  unit: [
    ['unit-spring', 'Spring House', { ro: 'Casa Izvorului', no: 'Kildehuset', de: 'Quellhaus' }],
    ['unit-forest', 'Forest House', { ro: 'Casa Pădurii', no: 'Skoghuset', fr: 'Maison de la forêt' }],
    ['unit-baths', 'The Baths', { ro: 'Băile', no: 'Badet' }],
  ],
  room: Object.keys(ROOM_BEDS).map(
    (room): Term => [`room-${room}`, `Room ${room}`, { ro: `Camera ${room}`, no: `Rom ${room}` }],
  ),
  roomStandard: [
    ['standard-classic', 'Classic', { ro: 'Clasic', no: 'Klassisk', de: 'Klassisch' }],
    ['standard-superior', 'Superior', { ro: 'Superior', no: 'Superior' }],
    ['standard-accessible', 'Accessible', { ro: 'Accesibil', no: 'Universelt utformet', fr: 'Accessible' }],
  ],
  bedType: [
    ['bed-single', 'Single bed', { ro: 'Pat simplu', no: 'Enkeltseng', de: 'Einzelbett' }],
    ['bed-twin', 'Twin beds', { ro: 'Două paturi', no: 'To enkeltsenger', fr: 'Lits jumeaux' }],
    ['bed-double', 'Double bed', { ro: 'Pat dublu', no: 'Dobbeltseng' }],
  ],
  accommodationType: [
    ['stay-private', 'Private room', { ro: 'Cameră proprie', no: 'Eget rom', de: 'Eigenes Zimmer' }],
    ['stay-shared', 'Shared room', { ro: 'Cameră comună', no: 'Delt rom' }],
    ['stay-day', 'Day guest', { ro: 'Oaspete de zi', no: 'Dagsgjest', fr: 'Hôte de jour' }],
  ],
  discount: [
    [
      'discount-early',
      'Early booking',
      { ro: 'Rezervare timpurie', no: 'Tidlig bestilling', de: 'Frühbucher' },
    ],
    ['discount-returning', 'Returning guest', { ro: 'Oaspete fidel', no: 'Tilbakevendende gjest' }],
    ['discount-family', 'Family', { ro: 'Familie', no: 'Familie', fr: 'Famille' }],
  ],
  recommendation: [
    [
      'advice-walking',
      'Walk 30 minutes a day',
      { ro: 'Mers 30 de minute pe zi', no: 'Gå 30 minutter om dagen' },
    ],
    ['advice-salt', 'Less salt', { ro: 'Mai puțină sare', no: 'Mindre salt', de: 'Weniger Salz' }],
    ['advice-sleep', 'Regular sleep', { ro: 'Somn regulat', no: 'Regelmessig søvn', fr: 'Sommeil régulier' }],
    [
      'advice-checkup',
      'Check-up in six months',
      { ro: 'Control peste șase luni', no: 'Kontroll om seks måneder' },
    ],
  ],
  referralType: [
    ['referral-friend', 'Friend or family', { ro: 'Prieteni sau familie', no: 'Venner eller familie' }],
    ['referral-doctor', 'Doctor', { ro: 'Medic', no: 'Lege', de: 'Arzt', fr: 'Médecin' }],
    ['referral-web', 'Website', { ro: 'Site web', no: 'Nettsted' }],
  ],
  religion: [
    ['religion-orthodox', 'Orthodox', { ro: 'Ortodoxă', no: 'Ortodoks', de: 'Orthodox' }],
    ['religion-catholic', 'Catholic', { ro: 'Catolică', no: 'Katolsk', fr: 'Catholique' }],
    ['religion-protestant', 'Protestant', { ro: 'Protestantă', no: 'Protestantisk' }],
    ['religion-none', 'None', { ro: 'Fără', no: 'Ingen' }],
  ],
  paymentType: [
    ['payment-card', 'Card', { ro: 'Card', no: 'Kort', de: 'Karte', fr: 'Carte' }],
    ['payment-transfer', 'Bank transfer', { ro: 'Transfer bancar', no: 'Bankoverføring' }],
    ['payment-cash', 'Cash', { ro: 'Numerar', no: 'Kontant' }],
    // Without translations: shown by its plain name in every language.
    ['payment-voucher', 'Voucher'],
  ],
} satisfies Record<string, Term[]>

/** A set of named things that other records point at. */
export type TermSet = keyof typeof termsBySet

/** The identifiers of a set's terms. */
export function termIds(set: TermSet): string[] {
  return termsBySet[set].map(([id]) => id)
}

/** The plain name of a term. */
export function termName(set: TermSet, id: string): string {
  return termsBySet[set].find(([known]) => known === id)?.[1] ?? id
}

/** The demo center's terms as records. */
export function* termRecords(): Iterable<IntakeRecord> {
  for (const [set, terms] of Object.entries(termsBySet) as [TermSet, Term[]][]) {
    for (const [id, name, names] of terms) {
      const beds = set === 'room' ? ROOM_BEDS[id.replace('room-', '')] : undefined
      yield {
        kind: 'term',
        centerId: DEMO_CENTER_ID,
        set,
        id,
        name,
        ...(names && { names }),
        ...(beds !== undefined && { beds }),
      }
    }
  }
}
