/** Names and texts as centers write them: short, very long, with marks, from the right to the left, in Chinese. */
import type { Random } from '../../support/random.ts'

const FIRST = [
  'Ana',
  'Bo',
  'Ștefan',
  'Žofie',
  'Siân',
  "D'Arcy",
  'Jean-Baptiste',
  'Þórdís',
  'Ελένη',
  'Ольга',
  'Дмитрий',
  'İpek',
  'שרה',
  'יצחק',
  'فاطمة',
  'محمد',
  '美咲',
  '小明',
  'Nguyễn',
  'Maximiliane-Friederike',
  'Wolfeschlegelstein',
]
const LAST = [
  'Pop',
  'Li',
  'Văleanu',
  'Dvořáková',
  "O'Brien",
  'van der Berg',
  'Guðmundsdóttir',
  'Παπαδοπούλου',
  'Кузнецова',
  'Öztürk',
  'כהן',
  'בן־גוריון',
  'الخوري',
  '田中',
  '歐陽',
  'Hausenbergerdorff-Kettelburg zu Hohenstein',
  'X',
  'Featherstonehaugh-Cholmondeley-Marjoribanks',
  'Smith, Jr.',
  'Müller (Wien)',
]
const DIETS = [
  'vegan',
  'vegetarian',
  'low salt',
  'fără sare',
  'diabetic',
  'kosher',
  'halal',
  'low FODMAP',
  'no pork',
  'no beef',
  'pescatarian',
  'puréed',
  'ketogenic',
  'Rohkost',
  'חלבי',
  '素食',
  'حلال',
  'sans lactose ajouté',
  'no onion, no garlic',
  'strictly according to the list that the ward has sent on the day of arrival',
]
const ALLERGIES = [
  'uten nøtter',
  'no gluten',
  'peanuts',
  'shellfish',
  'lactose',
  'sesame',
  'eggs',
  'soy',
  'fish',
  'celery',
  'mustard',
  'lupin',
  'אגוזים',
  '花生',
  'الفول السوداني',
  'sulphites and every wine, vinegar or dried fruit that contains them',
  'Histaminintoleranz',
  'αλλεργία σε ξηρούς καρπούς',
  'tree nuts (anaphylaxis)',
  'kiwi',
]
const ROOMS = ['Linden', 'Garden house east 3', 'גן', 'ΑΒ-7', 'Präsidentensuite mit Blick auf den See']
const PROGRAMS = [
  'Detox',
  'Restore and sleep',
  'Fasten',
  'Минеральные ванны',
  '断食',
  'Cardiac rehabilitation, second phase',
]
const LONG =
  'A sentence that is much longer than a cell, because somebody wrote down everything that they knew.'

export const wordsOf = (random: Random) => ({
  /** A name with a number, so that none is a part of another one. Some people have a single name. */
  person: () => {
    const number = String(random.whole(1, 999)).padStart(3, '0')
    if (random.chance(0.05)) return { firstName: `${random.pick(FIRST)} ${number}` }
    return { firstName: random.pick(FIRST), lastName: `${random.pick(LAST)} ${number}` }
  },
  diets: (count: number) => random.some(DIETS, count),
  allergies: (count: number) => random.some(ALLERGIES, count),
  room: () => (random.chance(0.8) ? String(random.whole(1, 499)) : random.pick(ROOMS)),
  program: () => random.pick(PROGRAMS),
  text: () => random.pick(['', 'Note', LONG, 'Notă: plătit parțial', '備考']),
})
