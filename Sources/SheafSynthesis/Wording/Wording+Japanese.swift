extension Wording {
    static let japanese = Wording(
        people: Names(
            ["青山", "石川", "上田", "江口", "岡本", "北村", "桜井", "清水", "中野", "渡辺"],
            ["陽菜", "蓮", "美咲", "大輝", "さくら", "悠斗", "結衣", "翔太", "葵", "直樹"],
            joiner: " "),
        works: Names(
            ["パン", "霧", "銅", "庭", "紙", "冬"],
            ["雲", "灯台", "物語", "手紙", "星", "本棚"],
            joiner: "と"),
        places: ["緑ヶ浜", "白鳥町", "風見台", "月見坂", "青葉橋", "琥珀港", "松の里", "霧ヶ丘"],
        items: ["登山靴", "青いやかん", "デスクライト", "レインジャケット", "コーヒーミル", "ウールの毛布"],
        lines: [
            Line(.messages, "<person>", "十分ほど遅れます。先に始めていてください。パンは持っていきます！"),
            Line(.messages, "<person>", subtitle: "週末：<place>", "今の空、見ましたか？<emoji>\n写真を送りますね。"),
            Line(
                .mail, "<person>", subtitle: "Re: 請求書 <number>",
                "早速ありがとうございます。二ページ目が抜けているようなので、もう一度お送りいただけますか。"),
            Line(.podcasts, "<work>", subtitle: "第<count>回", "三人の姉妹と一つの灯台、そしてとても長い冬の話。"),
            Line(.news, "<place>", "町議会は古い渡し船の再開を決めました。最初の便は春に出る予定です。"),
            Line(.calendar, "<person>さんとの打ち合わせ", "<clock>、会議室<digit>。招待にまだ返信していません。"),
            Line(.photos, "<person>", subtitle: "共有アルバム「<place>」", "写真が<count>枚追加されました<emoji>"),
            Line(.shopping, "<work>", "再入荷しました：<item>、残り<count>点です。"),
            Line(.social, "<person>", "<person>さんほか<count>人が「朝の散歩」にいいねしました。"),
            Line(.sports, "<place> <digit>－<digit> <rival>", "ゴール！<count>分、コーナーキックからのヘディング。"),
            Line(.banking, "カードのご利用", "<place>で <amount> のお支払い。心当たりがない場合はアプリでカードを停止してください。"),
            Line(.delivery, "お荷物 <number>", "あと<count>か所です。<clock>ごろに到着予定です。"),
            Line(.travel, "のりば変更", "<place>行きは<digit>番線から<clock>に発車します。"),
        ])
}
