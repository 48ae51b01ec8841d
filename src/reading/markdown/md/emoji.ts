import { closesFence, type FenceOpening, fenceOpening } from "@docent/kernel/text/markdown-lines";

/** The names that docs use, as GitHub and most generators know them. Others stay as they are written. */
const NAMES: ReadonlyMap<string, string> = new Map(
  `white_check_mark ✅ heavy_check_mark ✔️ ballot_box_with_check ☑️ x ❌ heavy_multiplication_x ✖️ negative_squared_cross_mark ❎
no_entry ⛔ no_entry_sign 🚫 warning ⚠️ exclamation ❗ heavy_exclamation_mark ❗ bangbang ‼️ grey_exclamation ❕ question ❓
grey_question ❔ information_source ℹ️ bulb 💡 memo 📝 pencil 📝 pencil2 ✏️ book 📖 books 📚 bookmark 🔖 bookmark_tabs 📑 clipboard 📋
page_facing_up 📄 page_with_curl 📃 scroll 📜 newspaper 📰 notebook 📓 ledger 📒 file_folder 📁 open_file_folder 📂 card_index_dividers 🗂️
pushpin 📌 round_pushpin 📍 paperclip 📎 link 🔗 lock 🔒 unlock 🔓 key 🔑 closed_lock_with_key 🔐 shield 🛡️ rocket 🚀 tada 🎉 sparkles ✨
star ⭐ star2 🌟 stars 🌠 fire 🔥 zap ⚡ boom 💥 bug 🐛 beetle 🐞 wrench 🔧 hammer 🔨 hammer_and_wrench 🛠️ tools 🛠️ nut_and_bolt 🔩 gear ⚙️
construction 🚧 rotating_light 🚨 bell 🔔 no_bell 🔕 mega 📣 loudspeaker 📢 speech_balloon 💬 thought_balloon 💭 eyes 👀 mag 🔍
mag_right 🔎 microscope 🔬 telescope 🔭 test_tube 🧪 package 📦 gift 🎁 inbox_tray 📥 outbox_tray 📤 email ✉️ envelope ✉️ computer 💻
desktop_computer 🖥️ iphone 📱 keyboard ⌨️ globe_with_meridians 🌐 earth_africa 🌍 earth_americas 🌎 earth_asia 🌏 cloud ☁️ whale 🐳
penguin 🐧 apple 🍎 green_apple 🍏 snake 🐍 crab 🦀 robot 🤖 chart_with_upwards_trend 📈 chart_with_downwards_trend 📉 bar_chart 📊
calendar 📆 date 📅 clock1 🕐 hourglass ⌛ hourglass_flowing_sand ⏳ stopwatch ⏱️ alarm_clock ⏰ recycle ♻️ arrows_counterclockwise 🔄
arrow_right ➡️ arrow_left ⬅️ arrow_up ⬆️ arrow_down ⬇️ arrow_upper_right ↗️ arrow_right_hook ↪️ leftwards_arrow_with_hook ↩️ back 🔙 top 🔝
new 🆕 free 🆓 ok 🆗 up 🆙 cool 🆒 100 💯 heavy_plus_sign ➕ heavy_minus_sign ➖ red_circle 🔴 orange_circle 🟠 yellow_circle 🟡
green_circle 🟢 large_blue_circle 🔵 white_circle ⚪ black_circle ⚫ large_blue_diamond 🔷 small_blue_diamond 🔹 large_orange_diamond 🔶
small_orange_diamond 🔸 small_red_triangle 🔺 black_small_square ▪️ white_small_square ▫️ black_medium_square ◼️ white_medium_square ◻️
black_large_square ⬛ white_large_square ⬜ heart ❤️ blue_heart 💙 green_heart 💚 purple_heart 💜 yellow_heart 💛 orange_heart 🧡 broken_heart 💔
+1 👍 thumbsup 👍 -1 👎 thumbsdown 👎 ok_hand 👌 clap 👏 wave 👋 pray 🙏 muscle 💪 raised_hands 🙌 point_right 👉 point_left 👈 point_up ☝️
point_down 👇 raising_hand 🙋 handshake 🤝 smile 😄 smiley 😃 grin 😁 blush 😊 wink 😉 joy 😂 sunglasses 😎 thinking 🤔 cry 😢 sob 😭
confused 😕 disappointed 😞 rage 😡 scream 😱 heart_eyes 😍 see_no_evil 🙈 skull 💀 ghost 👻 alien 👽 crown 👑 trophy 🏆 medal_sports 🏅 art 🎨
movie_camera 🎥 camera 📷 video_camera 📹 tv 📺 musical_note 🎵 game_die 🎲 dart 🎯 checkered_flag 🏁 triangular_flag_on_post 🚩 ship 🚢
airplane ✈️ car 🚗 bike 🚲 house 🏠 office 🏢 factory 🏭 seedling 🌱 evergreen_tree 🌲 herb 🌿 four_leaf_clover 🍀 sunny ☀️ crescent_moon 🌙
snowflake ❄️ umbrella ☔ ocean 🌊 rainbow 🌈 coffee ☕ beer 🍺 beers 🍻 pizza 🍕 cake 🍰 beginner 🔰 anchor ⚓ electric_plug 🔌 battery 🔋
satellite 📡 pill 💊 door 🚪 label 🏷️ moneybag 💰 dollar 💵 credit_card 💳 scissors ✂️ triangular_ruler 📐 straight_ruler 📏 brain 🧠
people_holding_hands 🧑‍🤝‍🧑 busts_in_silhouette 👥 bust_in_silhouette 👤 copyright ©️ registered ®️ tm ™️ one 1️⃣ two 2️⃣ three 3️⃣ four 4️⃣ five 5️⃣`
    .split(/\s+/)
    .flatMap((name, at, all): [string, string][] => (at % 2 === 0 ? [[name, all[at + 1] ?? ""]] : [])),
);
const SHORTCODE = /(?<![\p{L}\p{N}_/:.-])(?::[a-z0-9_+-]{1,40}:)+(?![\p{L}\p{N}_/])/u;
/** Code in a line, or a name of an emoji. */
const CODE_OR_NAMES = new RegExp(`(?<!\`)(\`+)(?!\`)[^\\n]*?(?<!\`)\\1(?!\`)|${SHORTCODE.source}`, "gu");
const HEADING = /^ {0,3}#{1,6}\s/;

/** Writes `:white_check_mark:` as ✅. In code it is what it is, and a heading's id is made of its name. */
export function writeEmoji(markdown: string): string {
  if (!/:[a-z0-9_+-]{1,40}:/.test(markdown)) return markdown;
  let fence: FenceOpening | undefined;
  const lines = markdown.split("\n").map((line) => {
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined;
      return line;
    }
    fence = fenceOpening(line);
    if (fence !== undefined || !line.includes(":") || HEADING.test(line) || /^(?: {4}|\t)/.test(line))
      return line;
    return line.replace(CODE_OR_NAMES, (found, ticks: string | undefined) =>
      ticks === undefined
        ? found.replace(/:([^:]+):/g, (written, name: string) => NAMES.get(name) ?? written)
        : found,
    );
  });
  return lines.join("\n");
}
