/**
 * One word for one thing in each language, in the console, the labels of values and the labels of fields; and words that
 * were corrected because they can hurt somebody, or because they say something else.
 */
import { describe, expect, it } from 'vitest'
import type { Language } from '../../src/core/locale/languages.ts'
import { type Text, TRANSLATED, textsOf } from '../../tools/words/texts.ts'

/** What English says, and what each language says in the same text. */
const THINGS = {
  session: /\bsessions?\b/i,
  order: /(?<!same )\borders?\b/i,
  guest: /\bguests?\b/i,
  diet: /\bdiets?\b/i,
  allergy: /\ballerg/i,
  sheet: /\bsheets?\b/i,
} as const

type Thing = keyof typeof THINGS

const TERMS: Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<Thing, RegExp>>>> = {
  bg: {
    session: /см[ея]н/i,
    order: /поръчк/i,
    guest: /гост/i,
    diet: /диет/i,
    allergy: /алерги/i,
    sheet: /лист/i,
  },
  cs: {
    session: /turnus/i,
    order: /objednáv/i,
    guest: /host/i,
    diet: /diet/i,
    allergy: /alergi/i,
    sheet: /list|tisk|tišt/i,
  },
  da: {
    session: /forløb/i,
    order: /ordre/i,
    guest: /gæst/i,
    diet: /diæt/i,
    allergy: /allergi/i,
    sheet: /ark/i,
  },
  de: {
    session: /kurs/i,
    order: /auftr[aä]g/i,
    guest: /g[aä]st/i,
    diet: /kostform/i,
    allergy: /allergi/i,
    sheet: /ausdruck/i,
  },
  el: {
    session: /περ[ιί][οό]δ\S* προγράμματος/i,
    order: /ομαδικ\S* κρ[αά]τ[ηή]σ/i,
    guest: /φιλοξενούμεν/i,
    diet: /δ[ιί]αιτ/i,
    allergy: /αλλεργ/i,
    sheet: /φ[υύ]λλ/i,
  },
  es: {
    session: /turno/i,
    order: /pedido/i,
    guest: /huésped/i,
    diet: /dieta/i,
    allergy: /alergia/i,
    sheet: /hoja/i,
  },
  fi: {
    session: /jakso/i,
    order: /tilau/i,
    guest: /viera/i,
    diet: /ruokavalio/i,
    allergy: /allergi/i,
    sheet: /list(?:a|oi)/i,
  },
  fr: {
    session: /session/i,
    order: /commande/i,
    // The role is "Invité", because "hôte" is also who receives guests.
    guest: /hôte|invité/i,
    diet: /régime/i,
    allergy: /allergie/i,
    sheet: /feuille/i,
  },
  hr: {
    session: /turnus/i,
    order: /narudžb/i,
    guest: /gost/i,
    diet: /dijet[aiu]|prehran/i,
    allergy: /alergij/i,
    sheet: /list/i,
  },
  hu: {
    session: /turnus/i,
    order: /megrendelés/i,
    guest: /vendég/i,
    diet: /étrend/i,
    allergy: /allergi/i,
    sheet: /lap|nyomtat/i,
  },
  is: {
    session: /námskeið/i,
    order: /p[aö]nt/i,
    guest: /gest/i,
    diet: /sérfæði/i,
    allergy: /ofnæmi/i,
    sheet: /bl[aö]ð/i,
  },
  it: {
    session: /session/i,
    order: /ordin/i,
    guest: /ospit/i,
    diet: /diet/i,
    allergy: /allergi/i,
    sheet: /fogli/i,
  },
  nl: {
    session: /periode/i,
    order: /order/i,
    guest: /gast/i,
    diet: /dieet|diëten/i,
    allergy: /allergi/i,
    sheet: /afdruk|afgedrukt/i,
  },
  no: {
    session: /kurs/i,
    order: /ordre/i,
    guest: /gjest/i,
    diet: /diett/i,
    allergy: /allergi/i,
    sheet: /ark/i,
  },
  pl: {
    session: /turnus/i,
    order: /zamówie/i,
    guest: /go[śs][ćc]/i,
    diet: /diet/i,
    allergy: /alergi/i,
    sheet: /wydruk/i,
  },
  pt: {
    session: /turno/i,
    order: /reservas? de grupo/i,
    guest: /hóspede/i,
    diet: /dieta/i,
    allergy: /alergia/i,
    sheet: /folha/i,
  },
  'pt-BR': {
    session: /turma/i,
    order: /pedido/i,
    guest: /hóspede/i,
    diet: /dieta/i,
    allergy: /alergia/i,
    sheet: /folha/i,
  },
  ro: {
    session: /sesiun/i,
    order: /com[ae]n/i,
    guest: /oaspe/i,
    diet: /diet/i,
    allergy: /alergi/i,
    sheet: /fo(?:ai|i)/i,
  },
  ru: {
    session: /заезд/i,
    order: /заказ/i,
    guest: /гост/i,
    diet: /диет/i,
    allergy: /аллерги/i,
    sheet: /распечат/i,
  },
  sk: {
    session: /turnus/i,
    order: /objednáv/i,
    guest: /hos[tť]/i,
    diet: /diét/i,
    allergy: /alergi/i,
    sheet: /hár|vytlač/i,
  },
  sl: {
    session: /termin/i,
    order: /naročil/i,
    guest: /gost/i,
    diet: /diet/i,
    allergy: /alergij/i,
    sheet: /list/i,
  },
  sv: {
    session: /kurs/i,
    order: /ord(?:er|rar)/i,
    guest: /gäst/i,
    diet: /specialkost/i,
    allergy: /allergi/i,
    sheet: /blad/i,
  },
  tr: {
    session: /dönem/i,
    order: /grup rezervasyon/i,
    guest: /misafir/i,
    diet: /diyet/i,
    allergy: /alerji/i,
    sheet: /çıktı/i,
  },
  uk: {
    session: /заїзд/i,
    order: /замовлен/i,
    guest: /г[оі]ст/i,
    diet: /дієт/i,
    allergy: /алергі/i,
    sheet: /роздруків|роздруков/i,
  },
}

/** Words that must not come back, and what they say to a reader. */
const NEVER: Readonly<Partial<Record<Language, readonly (readonly [RegExp, string])[]>>> = {
  en: [
    [/cancelled|cheque|centre\b/i, 'British spelling; the rest is American'],
    [/observations/i, 'a clinician observes; this is what the guest remarks'],
  ],
  bg: [
    [/къщ/i, 'a private house'],
    [/замина[лв] гост/i, 'a guest who has died'],
  ],
  cs: [
    [/\bdomě/i, 'a private house'],
    [/odešel/i, 'a guest who has died'],
    [/nesouhlas/i, 'people who do not consent'],
  ],
  da: [
    [/session/i, 'the draft board of the army'],
    [/depositum/i, 'a security that is given back'],
    [/: betalt$/i, 'yes or no, and not a day'],
  ],
  de: [
    [/diät/i, 'slimming; kitchens say Kostform'],
    [/\bblatt\b/i, 'a page; the paper has page numbers too'],
    [/(?<!system)verwaltung/i, 'the office, and not IT'],
    [/annull|restlos/i, 'the same as storniert to a reader; not said of payments'],
  ],
  el: [
    [/επισκέπτ/i, 'a visitor, for whom nobody cooks'],
    [/παραγγελ/i, 'an order of food'],
    [/περ[ιί][οό]δ\S*(?! προγράμματος)(?=[ .,]|$)/i, 'menstruation, in a medical record'],
    [/έχουν δίαιτα|χωρίς δίαιτα/i, 'guests who have no diet; only none is on record'],
    [/σπίτι/i, 'at home'],
    [/έφυγε/i, 'a guest who has died'],
  ],
  es: [[/(?<!(?:iniciar|cerrar|cierre la) )sesi[oó]n/i, 'one sitting of therapy, or the login']],
  fi: [
    [/ole ruokavaliota/i, 'guests who have no diet; only none is on record'],
    [/(?<!lääketieteelliset )lomak/i, 'a form to fill in'],
  ],
  fr: [
    [
      /(?:poids|imc) (?:au départ|à l’arrivée)/i,
      'the last weight reads as the first one, or the other way round',
    ],
    [/[^\u00a0\d]:/, 'a line may end before a colon without a no-break space'],
    [/[^\u202f][;!?]/, 'a line may end before the sign without a narrow no-break space'],
  ],
  hr: [
    [/\bdijete\b/i, 'child; the plural and the genitive of diet are spelled like it'],
    [/nema veze/i, 'never mind'],
    [/nepodnošljiv/i, 'unbearable'],
    [/\bkući\b/i, 'at home'],
    [/otišao/i, 'a guest who has died'],
  ],
  hu: [
    [/(?<!meg)rendelés/i, 'a consultation with a doctor'],
    [/elment|távozott/i, 'a guest who has died'],
    [/nem esz[ei]k?$/i, 'food that somebody will not eat'],
  ],
  is: [[/mataræði/i, 'how anybody eats; a kitchen lists sérfæði']],
  it: [
    [/(?:peso|imc) all/i, 'the last weight reads as the first one, or the other way round'],
    [/\bcasa\b/i, 'at home'],
  ],
  nl: [
    [/sessie/i, 'one sitting, or a login'],
    [/bestelling/i, 'an order of food'],
  ],
  no: [
    [/\bøkt/i, 'a lesson or workout of an hour'],
    [/depositum/i, 'a security that is given back'],
    [/bestilling(?!snummer|s?dato)/i, 'a booking'],
  ],
  pl: [
    [/\bdomu\b/i, 'at home'],
    [/\blisty\b/i, 'post'],
  ],
  pt: [
    [/(?<!(?:iniciar|terminar|terminar a) )sess[ãõ]/i, 'one sitting of therapy, or the login'],
    [/encomenda/i, 'an order of food, or a parcel'],
    [/(?:peso|imc) à partida/i, 'the last weight reads as the first one'],
  ],
  'pt-BR': [[/sess[ãõ]/i, 'one sitting of therapy']],
  ro: [[/\bcasă\b/i, 'at home']],
  ru: [
    [/задат/i, 'a legal term: returned twofold'],
    [/\bлист/i, 'a page; the paper has page numbers too'],
    [/(?<!\S)доме(?!\S)/i, 'a private house'],
    [/^терапевт$/i, 'a general practitioner'],
  ],
  sk: [
    [/\bdome\b/i, 'a private house'],
    [/odišiel/i, 'a guest who has died'],
    [/nesúhlas|súhlasí/i, 'consent'],
  ],
  sl: [
    [/odšel/i, 'a guest who has died'],
    [/napotitev/i, 'a doctor’s referral'],
  ],
  sv: [
    [/session/i, 'one sitting, or a login'],
    [/beställning/i, 'the fields say order'],
    [/ingen kost\b/i, 'no food at all'],
  ],
  tr: [
    [/hassasiyet/i, 'a sensitivity, also of taste; an intolerance is harmful'],
    [/sipariş/i, 'an order of food'],
    [/konuk|konuğ/i, 'the labels say misafir'],
    [/kâğıt|kâğıd/i, 'paper, the material'],
    [/kapora/i, 'earnest money on a flat or a car'],
    [/(?<!\S)ev(?:de|deki)?(?!\S)/i, 'at home'],
  ],
  uk: [
    [/завдат/i, 'a legal term: returned twofold'],
    [/аркуш/i, 'a page; the paper has page numbers too'],
    [/^терапевт$/i, 'a general practitioner'],
  ],
}

/** A text with all its forms, without the soft hyphens. */
const both = (text: Text = ''): string =>
  (typeof text === 'string' ? text : Object.values(text).join(' ')).replaceAll('\u00ad', '')
const english = textsOf('en')

describe.each(TRANSLATED)('%s', (language) => {
  const texts = [...textsOf(language)].map(([key, text]) => ({
    key,
    text: both(text),
    from: both(english.get(key)),
  }))
  it.each(Object.keys(THINGS) as Thing[])('has one word for %s', (thing) => {
    const others = texts.filter(
      // A text that is not translated yet is found by another test.
      ({ text, from }) => text !== from && THINGS[thing].test(from) && !TERMS[language][thing].test(text),
    )
    expect(others.map(({ key, text }) => `${key}: ${text}`)).toEqual([])
  })
})

it('no word that was corrected is back', () => {
  const back = Object.entries(NEVER).flatMap(([language, words]) =>
    [...textsOf(language as Language)].flatMap(([key, text]) =>
      words
        .filter(
          ([word]) => word.test(both(text)) && (language === 'en' || both(text) !== both(english.get(key))),
        )
        .map(([, says]) => `${language}: ${key}: ${both(text)} (${says})`),
    ),
  )
  expect(back).toEqual([])
})

it.each([
  ['hr', 'Imena uz broj: tko ne jede. Dijete: doručak · ručak · večera.'],
  ['el', 'Έναρξη περιόδου'],
  ['el', 'Άλλοι χωρίς δίαιτα (τρώνε: {meals}): {n}.'],
  ['fi', 'Muita, joilla ei ole ruokavaliota (syövät: {meals}): {n}.'],
  ['tr', 'Alerji veya hassasiyet'],
  ['fr', 'Poids au départ (kg)'],
  ['it', 'Peso alla partenza (kg)'],
  ['pt', 'Peso à partida (kg)'],
  ['hu', 'vendég elment'],
  ['es', 'Número de sesiones anteriores'],
] as const)('%s: “%s” would be found', (language, text) => {
  expect(NEVER[language]?.some(([word]) => word.test(text))).toBe(true)
})
