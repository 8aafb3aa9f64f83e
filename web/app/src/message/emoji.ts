// The emoji that the picker offers, with the words that find them. Others are typed or pasted.

const lines = `
👍 thumbs up yes like agree|❤️ red heart love|😂 tears of joy laugh|🎉 party popper celebrate|👀 eyes look|🙏 folded hands thanks please
✅ check mark done yes|👎 thumbs down no|😀 grinning smile happy|😄 smile happy|😅 sweat smile relief|😉 wink|😊 blush smile|😍 heart eyes love
😎 sunglasses cool|🤔 thinking hmm|🤨 raised eyebrow doubt|😐 neutral|😬 grimace|🙄 rolling eyes|😮 open mouth surprise wow|😢 crying sad
😭 sobbing cry sad|😡 angry mad|🤯 mind blown|🥳 partying face|😴 sleeping tired|🤒 thermometer ill sick|🤗 hug|🤝 handshake deal|👏 clapping hands applause
🙌 raised hands hooray|👋 waving hand hello bye|💪 strong muscle|✌️ victory peace|🤞 fingers crossed luck|👌 ok hand perfect|👉 pointing right|☝️ pointing up
🫡 salute|🤷 shrug|🤦 facepalm|🙋 raising hand question|💯 hundred points|🔥 fire hot|✨ sparkles new|⭐ star|🚀 rocket launch ship|🐛 bug|🔧 wrench fix tool
⚠️ warning|❌ cross no wrong|❓ question|❗ exclamation|💡 light bulb idea|📌 pin|📎 paperclip|📝 memo note write|📅 calendar date|⏰ alarm clock time
⏳ hourglass waiting|🔒 lock secure|🔑 key|💬 speech comment|📣 megaphone announce|📈 chart up|📉 chart down|💰 money bag|🎂 cake birthday|🎁 gift present
☕ coffee tea|🍕 pizza food lunch|🍺 beer drink|🌞 sun|🌧️ rain|❄️ snow cold|🌍 earth world|🌱 seedling plant|🐱 cat|🐶 dog|🦄 unicorn|🐢 turtle slow
💙 blue heart|💚 green heart|💔 broken heart|🏆 trophy win|🎯 target bullseye|🧪 test tube experiment|🧹 broom clean|♻️ recycle|➕ plus|🟢 green circle go|🔴 red circle stop`;

export interface Emoji { readonly emoji: string; readonly words: string }

export const all: readonly Emoji[] = lines.trim().split(/[\n|]/).map(entry => {
  const at = entry.indexOf(" ");
  return { emoji: entry.slice(0, at), words: entry.slice(at + 1) };
});
