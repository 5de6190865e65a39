import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LABEL_KINDS, labelOf } from '../../src/core/locale/labels.ts'
import { LANGUAGES, type Language } from '../../src/core/locale/languages.ts'

type Catalogue = Record<string, Record<string, string>>

const folder = new URL('../../src/core/locale/labels/', import.meta.url)

function readCatalogue(language: Language): Catalogue {
  return JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8')) as Catalogue
}

const english = readCatalogue('en')

// Where another language really has the English word. A label that occurs here without being listed was
// probably never translated.
const sameAsEnglish: Partial<Record<Language, string[]>> = {
  ro: ['Card', 'Voucher'],
  da: ['Patient', 'Check'],
  sv: ['Patient', 'Check', 'Lunch'],
  de: ['Patient'],
  nl: ['Open', 'Lunch'],
  fr: ['Patient'],
  tr: ['Voucher'],
}

const scripts: Partial<Record<Language, RegExp>> = {
  bg: /^\p{Script=Cyrillic}/u,
  ru: /^\p{Script=Cyrillic}/u,
  uk: /^\p{Script=Cyrillic}/u,
  el: /^\p{Script=Greek}/u,
}

// Words for a booking, an order or a payment that say something else to a patient: an examination, a treatment, a
// blood sample, a disability, a death.
const medical: Partial<Record<Language, RegExp>> = {
  bg: /преглед|^възстановен/i,
  cs: /posuzuj|vyšet/i,
  da: /under behandling|^forfalden$/i,
  el: /εξέταση/i,
  es: /revisión/i,
  fi: /hoido|^ilmoittautunut/i,
  fr: /examen|traitement|^prélèvement$|^parti$/i,
  hr: /obrad|pregled|^otišao$/i,
  hu: /^távozott$/i,
  is: /^farinn$/i,
  it: /esame|invalid/i,
  nl: /behandeling/i,
  no: /under behandling|vurdering/i,
  pl: /badani/i,
  pt: /análise|^partiu$/i,
  'pt-BR': /análise|^partiu$/i,
  ro: /invalid/i,
  sk: /posudzuj|vyšetr|^odišiel$/i,
  sl: /pregled/i,
  sv: /behandl|^förfallen$/i,
  tr: /muayene|^ayrıldı$/i,
}

describe('catalogues', () => {
  test('there is one for each language and no other', () => {
    expect(readdirSync(folder).sort()).toEqual(LANGUAGES.map((language) => `${language}.json`).sort())
  })

  describe.each(LANGUAGES)('%s', (language) => {
    const catalogue = readCatalogue(language)
    const entries = Object.entries(catalogue).flatMap(([kind, values]) =>
      // What a calendar counts is a label with a number behind it.
      Object.entries(values).map(([raw, text]) => ({ kind, raw, label: text.replace(/\s?: \{n\}$/u, '') })),
    )

    test('has exactly the keys of en, in the same order', () => {
      const keys = (of: Catalogue) => Object.entries(of).map(([kind, values]) => [kind, Object.keys(values)])
      expect(keys(catalogue)).toEqual(keys(english))
    })

    test('has short, tidy labels that begin with a capital', () => {
      for (const { kind, raw, label } of entries) {
        const place = `${kind}.${raw}: ${label}`
        expect(label, place).toBe(label.trim().normalize('NFC'))
        expect(label, place).not.toMatch(/ {2}|[_.,;:!?'"]/)
        expect(label.length, place).toBeGreaterThan(1)
        expect(label.length, place).toBeLessThanOrEqual(32)
        expect(label[0], place).toMatch(/\p{Lu}/u)
        expect(label, place).toMatch(scripts[language] ?? /^\p{Script=Latin}/u)
      }
    })

    test('tells the values of a kind apart', () => {
      for (const [kind, values] of Object.entries(catalogue)) {
        const words = Object.values(values)
        expect(new Set(words).size, kind).toBe(words.length)
      }
    })

    test('is translated', () => {
      if (language === 'en') return
      const same = entries.filter(({ kind, raw, label }) => english[kind]?.[raw] === label)
      expect([...new Set(same.map(({ label }) => label))].sort()).toEqual(
        (sameAsEnglish[language] ?? []).sort(),
      )
    })

    test('has no word for bookings and money that means something medical', () => {
      for (const { kind, raw, label } of entries.filter(({ kind }) => kind !== 'role')) {
        expect(label, `${kind}.${raw}`).not.toMatch(medical[language] ?? /treatment|examination/i)
      }
    })

    test('answers for every value', () => {
      for (const kind of LABEL_KINDS) {
        for (const [raw, label] of Object.entries(catalogue[kind]!)) {
          expect(labelOf(language, kind, raw)).toBe(label)
        }
      }
    })
  })
})

describe('labelOf', () => {
  test('ruling 35: pt is European Portuguese, and pt-BR Brazilian', () => {
    expect(labelOf('pt', 'paymentMethod', 'cash')).toBe('Numerário')
    expect(labelOf('pt-BR', 'paymentMethod', 'cash')).toBe('Dinheiro')
    expect(labelOf('pt', 'orderStatus', 'completed')).toBe('Concluída')
    expect(labelOf('pt-BR', 'orderStatus', 'completed')).toBe('Concluído')
  })

  test('other spellings of a raw value are found', () => {
    for (const raw of [
      'credit_card',
      'creditCard',
      'CreditCard',
      'CREDIT_CARD',
      'credit-card',
      'Credit card',
    ]) {
      expect(labelOf('de', 'paymentMethod', raw)).toBe('Kreditkarte')
    }
    expect(labelOf('ro', 'status', 'waiting_list')).toBe('Listă de așteptare')
    expect(labelOf('fr', 'paymentStatus', 'partiallyPaid')).toBe('Partiellement payé')
  })

  test('ruling 37: a raw value without a label is shown readable', () => {
    const shown: Record<string, string> = {
      bank_slip: 'Bank slip',
      someValue: 'Some value',
      some_value: 'Some value',
      'some-value': 'Some value',
      BANK_SLIP: 'Bank slip',
      paidIn2Parts: 'Paid in2 parts',
      payByQR: 'Pay by QR',
      SEPA: 'SEPA',
      PayPal: 'PayPal',
      'Paid at the bank': 'Paid at the bank',
      'paid at the pre-sale': 'Paid at the pre-sale',
      élan_vital: 'Élan vital',
      '  x ': 'X',
      '💶_euro': '💶 euro',
      '': '',
      ___: '___',
    }
    for (const [raw, label] of Object.entries(shown)) {
      expect(labelOf('en', 'paymentMethod', raw)).toBe(label)
      expect(labelOf('tr', 'orderStatus', raw)).toBe(label)
    }
    expect(labelOf('en', 'orderStatus', 'bank_transfer')).toBe('Bank transfer')
    expect(labelOf('en', 'role', 'y'.repeat(100_000))).toHaveLength(100_000)
  })

  test('ruling 37: F and M are genders, and of nothing else', () => {
    for (const letter of ['F', 'f', ' F ']) expect(labelOf('de', 'gender', letter)).toBe('Weiblich')
    for (const letter of ['M', 'm']) expect(labelOf('ro', 'gender', letter)).toBe('Masculin')
    expect(labelOf('en', 'gender', 'X')).toBe('X')
    expect(labelOf('en', 'paymentMethod', 'm')).toBe('M')
  })

  test('ruling 37: names every object has are raw values like any other', () => {
    for (const kind of LABEL_KINDS) {
      expect(labelOf('en', kind, 'constructor')).toBe('Constructor')
      expect(labelOf('en', kind, 'toString')).toBe('To string')
      expect(labelOf('en', kind, 'hasOwnProperty')).toBe('Has own property')
      expect(labelOf('en', kind, '__proto__')).toBe('Proto')
    }
  })
})
