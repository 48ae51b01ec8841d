import type { OwnWords } from "./shape.ts";

export const ar: OwnWords = {
  phrases: {
    quoting: "هذا ما ورد في الوثائق حرفيًا:",
    touching: "لا تذكر الوثائق هذا صراحةً. أقرب ما فيها:",
    notCovered: "لا تتناول الوثائق هذا الموضوع.",
    nearest: "أقرب الصفحات إلى ذلك:",
    contact: "يمكنك أن تسأل هنا:",
    failed: "انقطعت الإجابة بسبب مشكلة في الخادم. يرجى المحاولة مرة أخرى.",
    cutOff: "تم اقتطاع الإجابة هنا لأنها أصبحت طويلة جدًا.",
    sources: "المصادر:",
    pageNotFound: "هذه الصفحة غير موجودة، أو انتهت صلاحية الرابط.",
  },
  courtesies: {
    greeting: "مرحبًا! ماذا تريد أن تعرف؟ سأبحث عنه في الوثائق.",
    thanks: "على الرحب والسعة. اسأل إن بقي شيء غير واضح.",
    self: "أنا برنامج يجيب عن الأسئلة من هذه الوثائق، مع روابط إلى مواضع الإجابة.",
    empty: "يرجى كتابة ما تريد معرفته في بضع كلمات.",
  },
};

export const hi: OwnWords = {
  phrases: {
    quoting: "दस्तावेज़ों में शब्दशः यह लिखा है:",
    touching: "दस्तावेज़ों में यह स्पष्ट रूप से नहीं कहा गया है। सबसे निकट यह है:",
    notCovered: "दस्तावेज़ों में इसके बारे में जानकारी नहीं है।",
    nearest: "सबसे निकट के पृष्ठ:",
    contact: "आप यहाँ पूछ सकते हैं:",
    failed: "सर्वर की समस्या के कारण उत्तर बीच में रुक गया। कृपया फिर से कोशिश करें।",
    cutOff: "उत्तर बहुत लंबा हो जाने के कारण यहाँ काट दिया गया।",
    sources: "स्रोत:",
    pageNotFound: "ऐसा कोई पृष्ठ नहीं है, या लिंक की अवधि समाप्त हो गई है।",
  },
  courtesies: {
    greeting: "नमस्ते! आप क्या जानना चाहते हैं? मैं दस्तावेज़ों में खोजता हूँ।",
    thanks: "आपका स्वागत है। कुछ और स्पष्ट न हो तो पूछें।",
    self: "मैं एक प्रोग्राम हूँ जो इन दस्तावेज़ों से प्रश्नों के उत्तर देता है, स्रोत के लिंक के साथ।",
    empty: "कृपया कुछ शब्दों में लिखें कि आप क्या जानना चाहते हैं।",
  },
};

export const id: OwnWords = {
  phrases: {
    quoting: "Inilah yang tertulis dalam dokumentasi, kata demi kata:",
    touching: "Dokumentasi tidak menyebutkan hal ini secara langsung. Yang paling mendekati:",
    notCovered: "Dokumentasi tidak membahas hal ini.",
    nearest: "Halaman yang paling mendekati:",
    contact: "Anda dapat bertanya di sini:",
    failed: "Jawaban terputus karena masalah pada server. Silakan coba lagi.",
    cutOff: "Jawaban terpotong di sini karena terlalu panjang.",
    sources: "Sumber:",
    pageNotFound: "Halaman ini tidak ada, atau tautannya sudah kedaluwarsa.",
  },
  courtesies: {
    greeting: "Halo! Apa yang ingin Anda ketahui? Saya akan mencarinya di dokumentasi.",
    thanks: "Sama-sama. Tanyakan saja jika masih ada yang belum jelas.",
    self: "Saya adalah program yang menjawab pertanyaan dari dokumentasi ini, disertai tautan ke sumbernya.",
    empty: "Tuliskan dengan beberapa kata apa yang ingin Anda ketahui.",
  },
};

export const ja: OwnWords = {
  phrases: {
    quoting: "ドキュメントからの引用です：",
    touching: "ドキュメントにはこの件についての直接の記述はありません。最も近い内容：",
    notCovered: "この件についてはドキュメントに記載がありません。",
    nearest: "関連がありそうなページ：",
    contact: "お問い合わせ先：",
    failed: "サーバーの問題により回答が中断されました。もう一度お試しください。",
    cutOff: "回答が長くなりすぎたため、ここで打ち切られました。",
    sources: "出典：",
    pageNotFound: "このページは存在しないか、リンクの有効期限が切れています。",
  },
  courtesies: {
    greeting: "こんにちは。何をお調べしますか。ドキュメントから探します。",
    thanks: "どういたしまして。ほかにも不明な点があればお尋ねください。",
    self: "このドキュメントをもとに、出典へのリンクを付けて質問に答えるプログラムです。",
    empty: "知りたいことを短い言葉でお書きください。",
  },
};

export const ko: OwnWords = {
  phrases: {
    quoting: "문서에 적힌 내용을 그대로 옮깁니다:",
    touching: "문서에 이 내용이 직접 나와 있지는 않습니다. 가장 가까운 내용:",
    notCovered: "문서에서 다루지 않는 내용입니다.",
    nearest: "가장 가까운 페이지:",
    contact: "여기에 문의할 수 있습니다:",
    failed: "서버 문제로 답변이 중단되었습니다. 다시 시도해 주세요.",
    cutOff: "답변이 너무 길어져 여기에서 잘렸습니다.",
    sources: "출처:",
    pageNotFound: "페이지가 없거나 링크가 만료되었습니다.",
  },
  courtesies: {
    greeting: "안녕하세요! 무엇이 궁금하신가요? 문서에서 찾아보겠습니다.",
    thanks: "천만에요. 더 궁금한 점이 있으면 질문해 주세요.",
    self: "저는 이 문서를 바탕으로 질문에 답하고 출처 링크를 제공하는 프로그램입니다.",
    empty: "알고 싶은 내용을 몇 단어로 적어 주세요.",
  },
};

export const tr: OwnWords = {
  phrases: {
    quoting: "Belgelerde kelimesi kelimesine şöyle yazıyor:",
    touching: "Belgeler bunu açıkça söylemiyor. En yakın bilgi:",
    notCovered: "Belgeler bu konuyu kapsamıyor.",
    nearest: "En yakın sayfalar:",
    contact: "Buradan sorabilirsiniz:",
    failed: "Yanıt, sunucudaki bir sorun nedeniyle yarıda kesildi. Lütfen yeniden deneyin.",
    cutOff: "Yanıt çok uzadığı için burada kesildi.",
    sources: "Kaynaklar:",
    pageNotFound: "Böyle bir sayfa yok veya bağlantının süresi dolmuş.",
  },
  courtesies: {
    greeting: "Merhaba! Ne öğrenmek istersiniz? Belgelerde arayayım.",
    thanks: "Rica ederim. Açık olmayan başka bir şey varsa sorun.",
    self: "Ben bu belgelerden soruları yanıtlayan ve kaynağına bağlantı veren bir programım.",
    empty: "Lütfen öğrenmek istediğinizi birkaç sözcükle yazın.",
  },
};

export const vi: OwnWords = {
  phrases: {
    quoting: "Đây là nguyên văn trong tài liệu:",
    touching: "Tài liệu không nói rõ điều này. Nội dung gần nhất:",
    notCovered: "Tài liệu không đề cập đến điều này.",
    nearest: "Những trang gần nhất:",
    contact: "Bạn có thể hỏi tại đây:",
    failed: "Câu trả lời bị gián đoạn do sự cố trên máy chủ. Vui lòng thử lại.",
    cutOff: "Câu trả lời bị cắt ở đây vì quá dài.",
    sources: "Nguồn:",
    pageNotFound: "Không có trang này, hoặc liên kết đã hết hạn.",
  },
  courtesies: {
    greeting: "Xin chào! Bạn muốn biết điều gì? Tôi sẽ tra trong tài liệu.",
    thanks: "Không có gì. Hãy hỏi nếu còn điều gì chưa rõ.",
    self: "Tôi là chương trình trả lời câu hỏi dựa trên tài liệu này, kèm liên kết đến nguồn.",
    empty: "Hãy viết điều bạn muốn biết bằng vài từ.",
  },
};

export const zh: OwnWords = {
  phrases: {
    quoting: "以下内容逐字引自文档：",
    touching: "文档中没有直接说明这一点。最接近的内容：",
    notCovered: "文档中没有相关内容。",
    nearest: "最接近的页面：",
    contact: "您可以在这里提问：",
    failed: "服务器出现问题，回答中断。请重试。",
    cutOff: "回答过长，在此处被截断。",
    sources: "来源：",
    pageNotFound: "该页面不存在，或链接已过期。",
  },
  courtesies: {
    greeting: "您好！您想了解什么？我会在文档中查找。",
    thanks: "不客气。如果还有不清楚的地方，请随时提问。",
    self: "我是根据本文档回答问题的程序，并附上出处链接。",
    empty: "请用几个词写下您想了解的内容。",
  },
};

export const zhHant: OwnWords = {
  phrases: {
    quoting: "以下內容逐字引自文件：",
    touching: "文件中沒有直接說明這一點。最接近的內容：",
    notCovered: "文件中沒有相關內容。",
    nearest: "最接近的頁面：",
    contact: "您可以在這裡提問：",
    failed: "伺服器發生問題，回答中斷。請再試一次。",
    cutOff: "回答過長，在此處被截斷。",
    sources: "來源：",
    pageNotFound: "找不到此頁面，或連結已過期。",
  },
  courtesies: {
    greeting: "您好！您想了解什麼？我會在文件中查找。",
    thanks: "不客氣。如果還有不清楚的地方，請隨時提問。",
    self: "我是根據本文件回答問題的程式，並附上出處連結。",
    empty: "請用幾個詞寫下您想了解的內容。",
  },
};
