import type { Origin } from './names.ts'
import type { Random } from './random.ts'

type Place = { country: string; cities: readonly string[]; streets: readonly string[] }

// Real countries, invented towns: nobody can live at an address of the demo.
const places: Record<Origin, Place> = {
  ro: {
    country: 'Romania',
    cities: ['Valea Albă', 'Poiana Țapului de Sus', 'Izvoru Mărului', 'Târgu Șoimului', 'Fântâna Domnească'],
    streets: ['Strada Mărului', 'Aleea Plopilor', 'Strada Ștefan Stejar', 'Bulevardul Țărmului'],
  },
  no: {
    country: 'Norway',
    cities: ['Bjørkvåg', 'Ytre Måsøysund', 'Lyngåsen', 'Sørøyvik'],
    streets: ['Bjørkeveien', 'Øvre Kilde gate', 'Måkestien', 'Gråsteinsvegen'],
  },
  en: {
    country: 'United Kingdom',
    cities: ['Little Brackenford', 'Cobblemere-on-Sea', 'Upper Quillbrook'],
    streets: ['Wrenfield Lane', 'The Old Bakehouse', 'Thistle Row'],
  },
}

/** Postal codes that no post office has: none of the three countries gives out these first characters. */
const zips: Record<Origin, (random: Random) => string> = {
  ro: (random) => `0000${random.whole(10, 99)}`,
  no: () => '0000',
  en: (random) => `ZZ${random.whole(1, 9)} ${random.whole(1, 9)}ZZ`,
}

/** A postal address of that origin. */
export function createAddress(origin: Origin, random: Random) {
  const { country, cities, streets } = places[origin]
  return {
    street: `${random.pick(streets)} ${random.whole(1, 98)}`,
    city: random.pick(cities),
    zip: zips[origin](random),
    country,
  }
}

/** A telephone number that can belong to nobody: all zeros after the country code, or Ofcom's drama numbers. */
export function createPhone(origin: Origin, random: Random): string {
  const tail = String(random.whole(100, 999))
  if (origin === 'en') return `+44 7700 900${tail}`
  return origin === 'ro' ? `+40 000 000 ${tail}` : `+47 00 00 0${tail[0]} ${tail.slice(1)}`
}

/** A personal identification number in the country's form, made so that it can never be issued. */
export function createPin(origin: Origin, dob: string, random: Random): string {
  const [year, month, day] = [dob.slice(2, 4), dob.slice(5, 7), dob.slice(8, 10)]
  const serial = String(random.whole(10_000, 99_999))
  // A Romanian number never begins with 0.
  if (origin === 'ro') return `0${year}${month}${day}${serial}0`
  // Norwegian test persons have 80 added to the month.
  if (origin === 'no') return `${day}${Number(month) + 80}${year}${serial}`
  // QQ is the prefix the United Kingdom keeps for examples.
  return `QQ ${serial.slice(0, 2)} ${serial.slice(2, 4)} ${serial[4]}0 C`
}
